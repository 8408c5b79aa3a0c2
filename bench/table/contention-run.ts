import type { Input } from '../../local/engine/src/testing/faults.ts';
import { Deployment } from '../../test/simulate/deployment.ts';
import { PartitionLimit } from '../../test/simulate/partition-limit.ts';
import { Random } from '../../test/simulate/random.ts';

/** Number of clients, and the length of the parts without and with a rule. */
interface Settings {
  readonly clients: number;
  readonly milliseconds: number;
  readonly withRule: number;
  readonly seed: string;
}

/** The result and the cost of a request. */
interface Reply {
  /** 0: no answer came. */
  readonly status: number;
  readonly milliseconds: number;
  readonly calls: number;
  readonly rru: number;
  readonly wru: number;
}

interface Phase {
  readonly what: string;
  readonly milliseconds: number;
  readonly replies: readonly Reply[];
}

interface Result {
  readonly phases: readonly Phase[];
  readonly findings: readonly string[];
  /** Descriptions of flaws. */
  readonly flaws: readonly string[];
}

interface Rule {
  readonly state: string;
  readonly locks_ok_cnt: number;
  readonly locks_replicating_cnt: number;
  readonly locks_stuck_cnt: number;
}

/** Calls and units of one request so far. */
interface Tally {
  calls: number;
  rru: number;
  wru: number;
}

const [scope, dataset, rse] = ['bench', 'shared', 'BENCH_A'];
const path = `/dids/${scope}/${dataset}`;
const perRequest = 1_000;
/** More files than clients can attach in a second, at the rate of a partition. */
const filesPerSecond = 700;

const nameOf = (index: number) => `file.${String(index).padStart(7, '0')}`;
const bytesOf = (index: number) => 1_000 + index;

/** Clients that attach files to one dataset, each one file after the other. */
export class ContentionRun {
  readonly #deployment: Deployment;
  readonly #settings: Settings;
  readonly #random: Random;
  readonly #tallies = new WeakMap<Input, Tally>();
  readonly #attached = new Set<number>();
  readonly #unknown = new Set<number>();
  readonly #flaws: string[] = [];
  #next = 0;

  private constructor(deployment: Deployment, settings: Settings) {
    this.#deployment = deployment;
    this.#settings = settings;
    this.#random = new Random(settings.seed);
    deployment.table.onCost = (input, { rru = 0, wru = 0 }) => {
      const tally = this.#tallies.get(input);
      if (tally === undefined) return;
      tally.rru += rru;
      tally.wru += wru;
    };
  }

  static async open(settings: Settings): Promise<ContentionRun> {
    return new ContentionRun(await Deployment.open(new Random(settings.seed).fork('world'), new Set()), settings);
  }

  close(): void {
    this.#deployment.close();
  }

  /** Fills the dataset without and with a rule, and checks the result. */
  run(say: (line: string) => void): Promise<Result> {
    return this.#deployment.scheduler.run(this.#run(say));
  }

  async #run(say: (line: string) => void): Promise<Result> {
    const { table } = this.#deployment;
    const { milliseconds, withRule } = this.#settings;
    await this.#prepare(say);
    table.behave({ conflicts: true, indexLag: false });
    table.limit = new PartitionLimit();
    // As in the stack.
    this.#deployment.stream.batchSize = 1_000;
    const phases: Phase[] = [];
    phases.push({ what: 'attach one file', milliseconds, replies: await this.#fill(milliseconds) });
    say(`${phases[0]?.replies.length} requests without a rule`);
    const placing = this.#placeRule(withRule / 4);
    phases.push({ what: 'the same, with a rule', milliseconds: withRule, replies: await this.#fill(withRule) });
    say(`${phases[1]?.replies.length} requests with a rule`);
    const ended = this.#deployment.scheduler.now;
    const findings = [await this.#awaitRule(await placing, ended), describeCounts(this.#deployment.counts)];
    await this.#check();
    return { phases, findings, flaws: this.#flaws };
  }

  async #prepare(say: (line: string) => void): Promise<void> {
    const deployment = this.#deployment;
    await deployment.requestSuccess({ method: 'POST', path: `/scopes/root/${scope}` });
    await deployment.requestSuccess({ method: 'POST', path: `/rses/${rse}`, body: {} });
    await deployment.requestSuccess({
      method: 'POST',
      path: `/accounts/root/limits/local/${rse}`,
      body: { bytes: -1 },
    });
    await deployment.requestSuccess({ method: 'POST', path, body: { type: 'DATASET' } });
    const { milliseconds, withRule } = this.#settings;
    const files = Math.ceil(((milliseconds + withRule) * filesPerSecond) / 1_000);
    for (let start = 0; start < files; start += perRequest) {
      const indexes = Array.from({ length: Math.min(perRequest, files - start) }, (_none, index) => start + index);
      const found = indexes.map((index) => ({
        scope,
        name: nameOf(index),
        bytes: bytesOf(index),
        adler32: '0cc737eb',
      }));
      await deployment.requestSuccess({ method: 'POST', path: '/replicas', body: { rse, files: found } });
    }
    await deployment.endFaults();
    say(`${files} files registered`);
  }

  async #fill(milliseconds: number): Promise<Reply[]> {
    const { clients } = this.#settings;
    const until = this.#deployment.scheduler.now + milliseconds;
    const replies: Reply[] = [];
    const work = async (client: number) => {
      const random = this.#random.fork(`client ${client} at ${this.#next}`);
      await this.#deployment.scheduler.sleep(random.between(0, 100));
      while (this.#deployment.scheduler.now < until) replies.push(await this.#attach(random));
    };
    await Promise.all(Array.from({ length: clients }, (_none, client) => work(client)));
    return replies;
  }

  async #attach(random: Random): Promise<Reply> {
    const index = (this.#next += 1) - 1;
    const tally: Tally = { calls: 0, rru: 0, wru: 0 };
    const began = this.#deployment.scheduler.now;
    const body = { dids: [{ scope, name: nameOf(index) }] };
    const count = (_operation: string, input: Input) => {
      tally.calls += 1;
      this.#tallies.set(input, tally);
      return undefined;
    };
    const own = random.fork(index);
    const reply = await this.#deployment.request({ method: 'POST', path: `${path}/dids`, body }, own, () => {}, count);
    if (reply?.status === 201) this.#attached.add(index);
    else {
      if (reply === undefined) this.#unknown.add(index);
      this.#flaws.push(`attaching ${nameOf(index)}: ${reply?.status} ${reply?.text}`);
    }
    return { status: reply?.status ?? 0, milliseconds: this.#deployment.scheduler.now - began, ...tally };
  }

  /** Makes a rule after a delay; returns its id. */
  async #placeRule(after: number): Promise<string> {
    await this.#deployment.scheduler.sleep(after);
    const body = { dids: [{ scope, name: dataset }], account: 'root', copies: 1, rse_expression: rse };
    const { text } = await this.#deployment.requestSuccess({ method: 'POST', path: '/rules/', body });
    return (JSON.parse(text) as string[])[0] ?? '';
  }

  /** Waits until a rule has a lock for each file, at most ten minutes. */
  async #awaitRule(id: string, ended: number): Promise<string> {
    const { scheduler } = this.#deployment;
    const begun = this.#attached.size;
    for (;;) {
      const { text } = await this.#deployment.requestSuccess({ method: 'GET', path: `/rules/${id}` });
      const rule = JSON.parse(text) as Rule;
      const counts = `${rule.locks_ok_cnt}/${rule.locks_replicating_cnt}/${rule.locks_stuck_cnt}`;
      const waited = (scheduler.now - ended) / 1_000;
      const line = `rule: ${rule.state}, locks ${counts} of ${begun} files, ${waited.toFixed(1)} s after the last attachment`;
      if (rule.state === 'OK' && rule.locks_ok_cnt === begun) return line;
      if (waited > 600) {
        this.#flaws.push(line);
        return line;
      }
      await scheduler.sleep(500);
    }
  }

  /** Checks that the dataset holds the acknowledged files, and reports it. */
  async #check(): Promise<void> {
    await this.#deployment.endFaults();
    const content = await this.#deployment.requestSuccess({ method: 'GET', path: `${path}/dids` });
    const lines = content.text.split('\n').filter(Boolean);
    const found = new Set(lines.map((line) => (JSON.parse(line) as { readonly name: string }).name));
    const expected = new Set(Array.from(this.#attached, nameOf));
    for (const index of this.#unknown) found.delete(nameOf(index));
    const different = [...expected.symmetricDifference(found)];
    if (different.length > 0) this.#flaws.push(`content and answers differ: ${different.slice(0, 5).join(', ')}`);
    const did = JSON.parse((await this.#deployment.requestSuccess({ method: 'GET', path })).text) as Record<
      string,
      unknown
    >;
    const bytes = [...this.#attached].reduce((sum, index) => sum + bytesOf(index), 0);
    const [said, counted] = [
      `${String(did['length'])} files, ${String(did['bytes'])} bytes`,
      `${expected.size} files, ${bytes} bytes`,
    ];
    if (said !== counted) this.#flaws.push(`the dataset says ${said}, the answers ${counted}`);
    const wrong = await this.#deployment.withoutFaults((service) => service.findWrongUsage());
    this.#flaws.push(...wrong);
  }
}

function describeCounts(counts: ReadonlyMap<string, number>): string {
  return `what happened at the table: ${Array.from(counts, ([kind, count]) => `${kind} ${count}`).join(', ')}`;
}
