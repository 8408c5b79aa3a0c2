import { Replay } from '../model/replay.ts';
import type { Action, Step } from './actions.ts';
import { audit } from './audit.ts';
import type { Variant } from './bundle.ts';
import { CallLog } from './calls.ts';
import { type ClientAction, Clients } from './clients.ts';
import { Deployment } from './deployment.ts';
import { diracScope } from './dirac.ts';
import { auditExpiring, expiringScope } from './expiring-dids.ts';
import type { FaultKind } from './faults.ts';
import type { Reply } from './fleet.ts';
import { strangerScope } from './hostile-actions.ts';
import { labelOf } from './labels.ts';
import { NotLinearizable, TooManyCandidates, Candidates } from './linearize.ts';
import { Catalogue } from './model.ts';
import { passingRse, victimScope } from './names.ts';
import { prepareCatalogue } from './preparation.ts';
import { Random } from './random.ts';
import { flawsOfReply } from './reply-flaws.ts';
import { RuleLedger } from './rule-ledger.ts';
import { awaitsIndex, describeDifferences, takeSnapshot } from './snapshot.ts';

/** The settings of a simulation. */
export interface Settings {
  readonly seed: string;
  readonly kinds: ReadonlySet<FaultKind>;
  /** The variant of the service; absent: the one in lib. */
  readonly variant?: Variant;
  /** Steps between two snapshots of the whole catalogue; absent: the seed decides. */
  readonly stepsPerSnapshot?: number;
}

/** The result of a simulation. */
export interface Verdict {
  /** Descriptions of all flaws; empty: none was found. */
  readonly flaws: readonly string[];
  /** Counts of events, by kind. */
  readonly counts: ReadonlyMap<string, number>;
  /** A checksum of the course of events. */
  readonly trace: number;
}

const scope = 'sim';
const scopes = [scope, expiringScope, diracScope, victimScope, strangerScope];

/** The seed chooses one of these. */
const stepsPerSnapshotChoices = [60, 120, 240] as const;

/** No request to the table takes longer. */
const maxRequestMs = 5_000;

const minuteMs = 60_000;

/** After this time a request must have left no trace, and each stuck rule was repaired again, which takes up to two hours. */
const longAfterMs = 150 * minuteMs;

/** A clock that was ahead may have put a repair off by this much more, and later repairs follow it. */
const longestRepairMs = 8 * 3_600_000;

/** How often the last check is made if old requests change the catalogue meanwhile. */
const maxChecks = 5;

/** Facts that a copy without its stream may lack. */
const untoldByCopies = new RegExp(
  `^(events tell of (replica|rule|edge expiring xf\\d+\\.zip) |no event tells of RSE ${passingRse}$)`,
);

/** Runs a history in a new deployment and reports flaws. Everything depends on the seed alone. */
export async function simulate(history: readonly Step[], settings: Settings): Promise<Verdict> {
  const deployment = await Deployment.open(new Random(settings.seed).fork('world'), settings.kinds, settings.variant);
  try {
    const course = new SimulationRun(deployment, settings);
    await deployment.scheduler.run(course.run(history));
    return { flaws: course.flaws, counts: deployment.counts, trace: course.trace };
  } finally {
    deployment.close();
  }
}

/** One simulation, from the first step to the last snapshot. */
class SimulationRun {
  readonly flaws: string[] = [];
  trace = 0;
  readonly #deployment: Deployment;
  readonly #settings: Settings;
  readonly #random: Random;
  readonly #callLog = new CallLog(() => this.#deployment.scheduler.now);
  #ways = new Candidates(new Catalogue());
  readonly #rules = new RuleLedger();
  readonly #began: number;
  readonly #clients: Clients;

  constructor(deployment: Deployment, settings: Settings) {
    this.#deployment = deployment;
    this.#settings = settings;
    this.#random = new Random(settings.seed);
    this.#began = deployment.scheduler.now;
    this.#clients = new Clients({
      scope,
      scopes,
      deployment,
      rules: this.#rules,
      calls: this.#callLog,
      indexesLag: settings.kinds.has('index lag'),
      send: (request, random, over) => this.#send(request, random, over),
      judge: (action, reply) => this.#refuseFaults(action, reply),
    });
  }

  async run(history: readonly Step[]): Promise<void> {
    const { stepsPerSnapshot = this.#random.fork('stretch').pick(stepsPerSnapshotChoices), kinds } = this.#settings;
    await prepareCatalogue(this.#deployment, scope);
    this.#ways = new Candidates((await takeSnapshot(this.#deployment, scope)).catalogue);
    for (let start = 0; start < history.length && this.flaws.length === 0; start += stepsPerSnapshot) {
      this.#deployment.resume(kinds);
      await this.#perform(history.slice(start, start + stepsPerSnapshot));
      await this.#look();
    }
    if (this.flaws.length > 0) return;
    await this.#deployment.endFaults();
    await this.#look();
    if (this.flaws.length > 0) return;
    await this.#clients.settle();
    await this.#deployment.advance(longAfterMs);
    await this.#awaitRepairs();
    await this.#look(true);
    await this.#check();
  }

  /** Waits for repairs of rules that were planned by a clock which was ahead. */
  async #awaitRepairs(): Promise<void> {
    const { now } = this.#deployment.scheduler;
    const planned = this.#deployment.table.scan().map(({ repairAt }) => Number(repairAt?.N ?? 0));
    const latest = Math.min(Math.max(0, ...planned), now + longestRepairMs);
    if (latest > now) await this.#deployment.advance(latest - now + minuteMs);
  }

  /** Runs the steps of all clients, those of one client one after the other. */
  async #perform(steps: readonly Step[]): Promise<void> {
    const busy = new Map<number, Promise<void>>();
    for (const { id, client, action } of steps) {
      if (action.do === 'pause') {
        await this.#deployment.scheduler.sleep(action.milliseconds);
        continue;
      }
      const random = this.#random.fork(`step ${id}`);
      await busy.get(client);
      await this.#deployment.scheduler.sleep(random.between(0, 60));
      busy.set(client, this.#act(action, random));
      if (action.do === 'configure') await this.#deployment.scheduler.sleep(action.milliseconds);
    }
    await Promise.all(busy.values());
    // Requests that instances had sent before they died have arrived by then.
    await this.#deployment.scheduler.sleep(maxRequestMs);
  }

  async #act(action: ClientAction, random: Random): Promise<void> {
    this.#deployment.faultInjector.count('operation');
    const reply = await this.#clients.carryOut(action, random);
    if (reply !== undefined && reply.status < 300)
      this.#deployment.faultInjector.count(`success of ${labelOf(action)}`);
    this.#refuseFaults(action, reply);
  }

  async #send(request: Parameters<Deployment['request']>[0], random: Random, over: () => void = () => {}) {
    const reply = await this.#deployment.request(request, random, over);
    this.#note(
      `${request.method} ${request.path} ${reply?.status} ${Math.round(this.#deployment.scheduler.now * 1e3)}`,
    );
    this.#deployment.faultInjector.count(`answer ${reply?.status ?? 'none'}`);
    return reply;
  }

  #refuseFaults(action: Action | string, reply: Reply | undefined): void {
    this.flaws.push(...flawsOfReply(action, reply));
  }

  /** Takes a snapshot while no client is active, and checks that it is possible. */
  async #look(isSettled = false): Promise<void> {
    if (this.flaws.length > 0) return;
    this.#deployment.faultInjector.count('look');
    const moments = this.#callLog.take();
    let isDecided = this.#judge(() => this.#ways.follow(moments));
    // A request with an unknown outcome may take effect while the catalogue is read: then it is read again.
    for (let former: string | undefined; this.flaws.length === 0;) {
      const since = this.#deployment.scheduler.now;
      const { catalogue, flaws, late } = await takeSnapshot(this.#deployment, scope);
      this.#note(catalogue.text);
      this.flaws.push(...flaws);
      if (isSettled || (this.#deployment.isQuiet && !awaitsIndex(this.#deployment))) this.flaws.push(...late);
      isDecided &&= this.#judge(() => this.#ways.takeSnapshot(catalogue, since));
      if (!isDecided) this.#ways.restart(catalogue, moments, since);
      if (this.flaws.length === 0 || catalogue.text === former) return;
      former = catalogue.text;
      this.flaws.length = 0;
    }
  }

  /** Notes a flaw if no order of the requests explains the snapshot; false if there are too many candidates to tell. */
  #judge(follow: () => void): boolean {
    try {
      follow();
    } catch (error) {
      if (error instanceof NotLinearizable) this.flaws.push(error.message);
      else if (error instanceof TooManyCandidates) {
        this.#deployment.faultInjector.count('undecided look');
        return false;
      } else throw error;
    }
    return true;
  }

  /**
   * Checks the whole catalogue. A request of the check may thaw an instance with an old request, whose late writes the
   * stream tells of later: the check is repeated then.
   */
  async #check(): Promise<void> {
    if (this.flaws.length > 0) return;
    let found: string[] = [];
    for (let attempt = 0; attempt < maxChecks; attempt += 1) {
      await this.#deployment.waitUntilQuiet();
      const { changes } = this.#deployment;
      found = await this.#findFlaws();
      if (this.#deployment.changes === changes && this.#deployment.isQuiet) break;
    }
    this.#deployment.faultInjector.count('final look');
    this.flaws.push(...found);
  }

  async #findFlaws(): Promise<string[]> {
    const flaws = await audit(this.#deployment, this.#rules, scope);
    flaws.push(
      ...(await auditExpiring(this.#deployment)),
      ...(await this.#clients.findFlaws()),
      ...(await this.#deployment.watch.findLost(scopes)),
      ...this.#deployment.watch.flaws,

      ...this.#deployment.stream.abandoned,
      ...this.#deployment.failedJobs,
    );
    const holdings = await this.#deployment.withoutFaults((service) => service.listHoldings(scopes));
    const told = await this.#deployment.withoutFaults(async ({ listAllEvents, parseJson }) => {
      const replay = new Replay();
      for (const text of await listAllEvents(this.#began - 60_000)) {
        replay.hear(parseJson(text) as Parameters<Replay['hear']>[0]);
      }
      return replay.inventory();
    });
    const differences = describeDifferences(holdings, told);
    // A copy of the table without its stream does not tell which replicas and rules were deleted just before, what an archive held
    // that was deleted and made anew then, nor of an RSE that was created and deleted.
    const isCopy = this.#deployment.counts.has('restoration of a backup by copy');
    return [...flaws, ...differences.filter((text) => !isCopy || !untoldByCopies.test(text))];
  }

  #note(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.trace = (Math.imul(this.trace, 31) + text.charCodeAt(at)) >>> 0;
  }
}
