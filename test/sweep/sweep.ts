import { groups } from '../../lib/contract/index.ts';
import { accountRows } from '../security/authorization/account-rows.ts';
import { didRows } from '../security/authorization/did-rows.ts';
import type { Maker } from '../security/authorization/maker.ts';
import { otherRows } from '../security/authorization/other-rows.ts';
import { replicaRows } from '../security/authorization/replica-rows.ts';
import type { Attempt, Row, Rows } from '../security/authorization/row.ts';
import { rseRows } from '../security/authorization/rse-rows.ts';
import { ruleRows } from '../security/authorization/rule-rows.ts';
import { Deployment } from '../simulate/deployment.ts';
import type { Reply } from '../simulate/fleet.ts';
import type { Decide, CallFault } from '../simulate/instance.ts';
import { Random } from '../simulate/random.ts';
import { bulkRows } from './bulk-rows.ts';
import { openMaker } from './maker.ts';

/** The faults at one call to the table. */
export const faults = ['lost before', 'lost after', 'throttled', 'conflict', 'dies', 'freezes'] as const;
export type Fault = (typeof faults)[number];

/** An operation with a request that it carries out. */
export interface Subject {
  readonly id: string;
  readonly method: string;
  readonly row: Row;
  /** Which of the requests of the operation. */
  readonly index: number;
}

/** The result of a fault at a call. */
export interface Case {
  readonly subject: Subject;
  readonly call: number;
  readonly fault: Fault;
  /** Description of the flaw; absent: none. */
  readonly flaw?: string;
}

/** Groups that do not use the table, or whose answers do not end. */
const without = new Set(['browser', 'events', 'openapi', 'ping']);

/** Every operation of the contract, some of them with several requests. */
export function listSubjects(): Subject[] {
  const tables = [accountRows, didRows, rseRows, replicaRows, ruleRows, otherRows];
  const rows: Rows = Object.assign({}, ...tables) as Rows;
  return groups.flatMap((group) => {
    if (without.has(group.name)) return [];
    return Object.entries(group.routes).flatMap(([id, { method }]) =>
      [rows[id] ?? [], bulkRows[id] ?? []]
        .flat()
        .filter(({ who }: Row) => who !== 'nobody')
        .map((row: Row, index) => ({ id, method: row.method ?? method, row, index })),
    );
  });
}

/** A request that was sent with a fault. */
interface Trial {
  readonly call: number;
  readonly fault: Fault;
  readonly attempt: Attempt;
  readonly reply: Reply | undefined;
}

/** The result of a request without faults. */
interface Baseline {
  readonly status: number;
  readonly calls: number;
  /** A request that was sent, what it changed, and one that was not sent. */
  readonly attempt: Attempt;
  readonly fresh: string;
  readonly control: Attempt;
}

/** After this time a request must have left no trace. */
const longAfterMs = 80 * 60_000;

/** Sweeps over the calls of operations, in one simulated deployment. */
export class Sweep {
  readonly #deployment: Deployment;
  readonly #make: Maker;
  readonly #random = new Random('sweep');
  #sent = 0;

  private constructor(deployment: Deployment, make: Maker) {
    this.#deployment = deployment;
    this.#make = make;
  }

  /** Opens a deployment for a sweep and closes it afterwards. */
  static async run<T>(work: (sweep: Sweep) => Promise<T>): Promise<T> {
    const deployment = await Deployment.open(new Random('sweep').fork('world'), new Set());
    try {
      return await deployment.scheduler.run(openMaker(deployment).then((make) => work(new Sweep(deployment, make))));
    } finally {
      deployment.close();
    }
  }

  /**
   * Tries faults at the calls of operations.
   *
   * @param chooses Selects the faults; those that do not apply to a call are left out.
   */
  async try(
    subjects: readonly Subject[],
    chooses: (subject: Subject, call: number, fault: Fault) => boolean,
  ): Promise<Case[]> {
    const tried: { readonly subject: Subject; readonly baseline: Baseline; readonly trials: readonly Trial[] }[] = [];
    for (const subject of subjects) {
      const baseline = await this.#measure(subject);
      const trials: Trial[] = [];
      for (let call = 1; call <= baseline.calls; call += 1) {
        for (const fault of faults) {
          const trial = chooses(subject, call, fault) ? await this.#send(subject, call, fault) : undefined;
          if (trial !== undefined) trials.push(trial);
        }
      }
      tried.push({ subject, baseline, trials });
    }
    await this.#deployment.endFaults();
    if (tried.some(({ trials }) => trials.some(leavesTraces))) await this.#deployment.advance(longAfterMs);
    const cases: Case[] = [];
    for (const { subject, baseline, trials } of tried) {
      for (const trial of trials) {
        const { call, fault } = trial;
        const flaw = await this.#judge(subject, baseline, trial);
        cases.push({ subject, call, fault, ...(flaw === undefined ? {} : { flaw }) });
      }
    }
    return cases;
  }

  async #measure(subject: Subject): Promise<Baseline> {
    const attempt = await subject.row.attempt(this.#make);
    let calls = 0;
    const reply = await this.#request(subject, attempt, () => {
      calls += 1;
      return undefined;
    });
    const expected = subject.row.status;
    const isRight = expected === undefined ? (reply?.status ?? 500) < 400 : reply?.status === expected;
    if (!isRight) throw new Error(`${subject.id}: ${reply?.status} ${reply?.text}`);
    await this.#deployment.endFaults();
    const control = await subject.row.attempt(this.#make);
    return { status: reply?.status ?? 0, calls, attempt, fresh: await this.#look(attempt), control };
  }

  /** Sends a request with a fault at a call; undefined if the fault does not apply. */
  async #send(subject: Subject, call: number, fault: Fault): Promise<Trial | undefined> {
    const attempt = await subject.row.attempt(this.#make);
    const state = { calls: 0, isStruck: false, throttled: '' };
    const decide: Decide = (operation, input) => {
      state.calls += 1;
      const body = JSON.stringify(input);
      if (fault === 'throttled' && state.isStruck && body === state.throttled) return { kind: 'throttle' };
      if (state.calls !== call || (fault === 'conflict' && !writes.test(operation))) return undefined;
      state.isStruck = true;
      state.throttled = body;
      return fates[fault];
    };
    const reply = await this.#request(subject, attempt, decide);
    return state.isStruck ? { call, fault, attempt, reply } : undefined;
  }

  async #judge(subject: Subject, baseline: Baseline, { attempt, reply }: Trial): Promise<string | undefined> {
    const [is, done, undone] = [
      await this.#look(attempt),
      await this.#look(baseline.attempt),
      await this.#look(baseline.control),
    ];
    const isSuccess = reply?.status === baseline.status;
    const said = reply === undefined ? 'no answer' : `${reply.status} ${reply.text.slice(0, 120)}`;
    if (!isSuccess && reply !== undefined && reply.status !== 503 && reply.status !== 502) return `answered ${said}`;
    if (isSuccess && is !== done) return `answered ${said}, but it is ${is} in place of ${done}`;
    if (is !== done && is !== undone) return `half of it was done: ${is}`;
    const again = await this.#request(subject, attempt, () => undefined);
    if ((again?.status ?? 500) >= 500) return `a repeat is answered ${again?.status} ${again?.text.slice(0, 120)}`;
    await this.#deployment.endFaults();
    const after = await this.#look(attempt);
    // A repeat may have done it just now, or found it done long ago.
    return after === baseline.fresh || after === done ? undefined : `after a repeat it is ${after} in place of ${done}`;
  }

  #request({ method }: Subject, { path, body, headers }: Attempt, decide: Decide): Promise<Reply | undefined> {
    this.#sent += 1;
    const request = {
      method,
      path,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    };
    return this.#deployment.request(request, this.#random.fork(this.#sent), () => {}, decide);
  }

  /** Changes of an attempt, without names, ids and dates; of a shared list its own entries only. */
  async #look(attempt: Attempt): Promise<string> {
    const { look } = attempt;
    if (look === undefined) return '';
    const reply = await this.#request(reading, { path: look }, () => undefined);
    const own = JSON.stringify(attempt).match(nameOfSweep) ?? [];
    const entries = entriesIn(reply?.text ?? '');
    const isShared = entries.length > 1 && look.match(nameOfSweep) === null;
    const shown = isShared ? entries.filter((entry) => own.some((name) => mentions(entry, name))) : entries;
    return `${reply?.status} ${shown.map(normalise).sort().join(' ')}`;
  }
}

const nameOfSweep = /sw-\d+/gi;

/** Whether a text contains a name, not only as the beginning of another one. */
const mentions = (text: string, name: string) => new RegExp(`${name}(?!\\d)`, 'i').test(text);

/** The entries of a list, or the whole of another answer. */
function entriesIn(text: string): string[] {
  if (text.startsWith('[')) return (JSON.parse(text) as unknown[]).map(sortMembers);
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    return line.startsWith('{') ? sortMembers(JSON.parse(line.replaceAll('Infinity', '-1'))) : line;
  });
}

/** A value as a text, with the members of objects in an order that does not depend on their names. */
function sortMembers(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(sortMembers).join()}]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${sortMembers(member)}`);
  return `{${members.sort((a, b) => (normalise(a) < normalise(b) ? -1 : 1)).join()}}`;
}

/** Dying and freezing leave traces that recovery removes. */
const leavesTraces = ({ fault }: Trial) => fault === 'dies' || fault === 'freezes';

/** Calls that conflict with a transaction. */
const writes = /^(PutItem|UpdateItem|DeleteItem|TransactWriteItems|BatchExecuteStatement)$/;

const reading: Subject = { id: '', method: 'GET', row: { who: 'any', attempt: () => ({ path: '' }) }, index: 0 };

const fates: Readonly<Record<Fault, CallFault>> = {
  'lost before': { kind: 'lose request' },
  'lost after': { kind: 'lose answer' },
  throttled: { kind: 'throttle' },
  conflict: { kind: 'conflict' },
  dies: { kind: 'die after' },
  // Longer than the time-outs of a batch, a client and a function.
  freezes: { kind: 'freeze after', milliseconds: 600_000 },
};

/** A text with placeholders for what differs from one attempt to the next. */
function normalise(text: string): string {
  return text
    .replaceAll(nameOfSweep, 'NAME')
    .replaceAll(/[0-9a-f]{32}/g, 'ID')
    .replaceAll(/\w{3}, \d+ \w{3} \d{4} [\d:]+ \w+/g, 'DATE')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'DATE')
    .replaceAll(/[0-9a-f]{2}\/[0-9a-f]{2}\/NAME/g, 'PATH');
}
