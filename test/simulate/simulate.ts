import { Replay } from '../model/replay.ts';
import type { Action, Step } from './actions.ts';
import { audit, findLostFiles } from './audit.ts';
import type { Variant } from './bundle.ts';
import { CallLog } from './calls.ts';
import { ChangingClient } from './changing-client.ts';
import { Deployment } from './deployment.ts';
import { DiracClient, diracScope } from './dirac.ts';
import { ExpiringClient, findRule, type Send } from './expiring-client.ts';
import { auditExpiring, expiringScope } from './expiring-dids.ts';
import type { FaultKind } from './faults.ts';
import type { Reply } from './fleet.ts';
import type { SendOnce } from './keyed-request.ts';
import { labelOf } from './labels.ts';
import { NotLinearizable, TooManyCandidates, Candidates } from './linearize.ts';
import { requestOfOptions } from './metadata-index.ts';
import { Catalogue } from './model.ts';
import { SimulatedMover } from './mover.ts';
import { requestOfOpendata } from './opendata.ts';
import { prepareCatalogue } from './preparation.ts';
import { Random } from './random.ts';
import { ReadingClient } from './reads.ts';
import { ReplicationClient } from './replication-client.ts';
import { flawsOfReply } from './reply-flaws.ts';
import { rowsOf } from './rows.ts';
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

type ClientAction = Exclude<Action, { do: 'pause' }>;

const scope = 'sim';
const scopes = [scope, expiringScope, diracScope];

/** The seed chooses one of these. */
const stepsPerSnapshotChoices = [60, 120, 240] as const;

/** No request to the table takes longer. */
const maxRequestMs = 5_000;

/** After this time a request must have left no trace. */
const longAfterMs = 80 * 60_000;

/** How often the last check is made if old requests change the catalogue meanwhile. */
const maxChecks = 5;

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
  readonly #changingClient: ChangingClient;
  #ways = new Candidates(new Catalogue());
  readonly #rules = new RuleLedger();
  readonly #began: number;
  readonly #mover: SimulatedMover;
  readonly #expiringClient: ExpiringClient;
  readonly #replicationClient: ReplicationClient;
  readonly #readingClient: ReadingClient;
  readonly #diracClient: DiracClient;
  readonly #sleep = (milliseconds: number) => this.#deployment.scheduler.sleep(milliseconds);
  readonly #sendAny: Send = (request, random) => this.#send(request, random);

  constructor(deployment: Deployment, settings: Settings) {
    this.#deployment = deployment;
    this.#settings = settings;
    this.#random = new Random(settings.seed);
    this.#began = deployment.scheduler.now;
    this.#expiringClient = new ExpiringClient(scope, this.#sendAny, () => deployment.runJob('expire-dids'));
    this.#diracClient = new DiracClient(this.#sendAny, deployment);
    this.#replicationClient = new ReplicationClient(scope, this.#sendAny, this.#rules, deployment);
    const sendOnce: SendOnce = (request, random, over) => this.#send(request, random, over);
    this.#changingClient = new ChangingClient(scope, sendOnce, this.#sleep, this.#callLog);
    this.#readingClient = new ReadingClient(scope, this.#sendAny, this.#callLog, settings.kinds.has('index lag'));
    const post = async (path: string, body: object, random: Random) => {
      const reply = await this.#send({ method: 'POST', path, body }, random);
      this.#refuseFaults(path, reply);
      return reply;
    };
    this.#mover = new SimulatedMover(post, this.#sleep, deployment.storage);
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
    await this.#replicationClient.settle();
    await this.#deployment.advance(longAfterMs);
    await this.#look(true);
    await this.#check();
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
    const reply = await this.#carryOut(action, random);
    if (reply !== undefined && reply.status < 300)
      this.#deployment.faultInjector.count(`success of ${labelOf(action)}`);
    this.#refuseFaults(action, reply);
  }

  /** The reply to an action; undefined if none came, or if it was judged already. */
  async #carryOut(action: ClientAction, random: Random): Promise<Reply | undefined> {
    switch (action.do) {
      case 'empty':
        return this.#detachSome(action.name, action.count, random);
      case 'rule':
        return this.#makeRule(action.name, action.rse, random);
      case 'unrule': {
        const { name } = action;
        const rule = await findRule(this.#sendAny, { scope, name }, random, (found) => found['name'] === name);
        return rule === undefined ? undefined : this.#endRule(rule.id, random);
      }
      case 'state': {
        const files = [{ scope, name: action.name, state: action.state }];
        const body = { rse: action.rse, files };
        if (action.state === 'A') this.#deployment.storage.claim({ rse: action.rse, scope, name: action.name });
        return this.#send({ method: 'PUT', path: '/replicas', body }, random);
      }
      case 'move':
        await this.#mover.move(action, random);
        return undefined;
      case 'expiring':
        return this.#expiringClient.act(action.expiring, random);
      case 'replication':
        return this.#replicationClient.act(action.replication, random);
      case 'dirac':
        return this.#diracClient.act(action.dirac, random);
      case 'opendata':
        return this.#send(requestOfOpendata(action.opendata), random);
      case 'read':
        return this.#readingClient.act(action.read, random);
      case 'configure':
        return this.#send(requestOfOptions(action.options), random);
      case 'guard':
        return this.#changingClient.actOnMatch(action.change, random);
      default:
        return this.#changingClient.act(action, random);
    }
  }

  /** Detaches children that a list shows: the action does not name them, so the request is judged here. */
  async #detachSome(name: string, count: number, random: Random): Promise<undefined> {
    const reply = await this.#send({ method: 'GET', path: `/dids/${scope}/${name}/dids` }, random.fork('list'));
    const children = namesIn(reply).slice(0, count);
    if (children.length === 0) return;
    const detachment = { do: 'detach', name, children } as const;
    this.#refuseFaults(detachment, await this.#changingClient.act(detachment, random));
  }

  async #makeRule(name: string, rse: string, random: Random): Promise<Reply | undefined> {
    const body = { dids: [{ scope, name }], account: 'root', copies: 1, rse_expression: rse, grouping: 'ALL' };
    const reply = await this.#send({ method: 'POST', path: '/rules/', body }, random);
    this.#rules.noteMade(reply);
    return reply;
  }

  async #endRule(id: string, random: Random): Promise<Reply | undefined> {
    const reply = await this.#send({ method: 'DELETE', path: `/rules/${id}` }, random);
    this.#rules.noteEnd(id, reply);
    return reply;
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
      ...(await this.#diracClient.findFlaws()),
      ...(await findLostFiles(this.#deployment, scopes)),
      ...this.#mover.flaws,
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
    return [...flaws, ...describeDifferences(holdings, told)];
  }

  #note(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.trace = (Math.imul(this.trace, 31) + text.charCodeAt(at)) >>> 0;
  }
}

const namesIn = (reply: Reply | undefined) =>
  reply?.status === 200 ? rowsOf(reply).map(({ name }) => String(name)) : [];
