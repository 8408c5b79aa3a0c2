import { gatewayEvent } from '../support/event.ts';
import { bundleService, type ServiceModule, type Variant } from './bundle.ts';
import type { ClientRequest } from './client-request.ts';
import { type FaultKind, FaultInjector } from './faults.ts';
import { Fleet, maxInvocationMs, type Reply } from './fleet.ts';
import { type Decide, InstanceDied } from './instance.ts';
import type { Random } from './random.ts';
import { tableName } from './records.ts';
import { type BackupKind, followOwed, restoreBackup } from './restoration.ts';
import { Scheduler } from './scheduler.ts';
import { StorageWatch } from './storage-watch.ts';
import { SimulatedStorage } from './storage.ts';
import { Stream } from './stream.ts';
import { SimulatedTable } from './table.ts';

/** The answer if an instance dies. */
const badGateway: Reply = { status: 502, text: '' };

/** How long a client waits for an answer. */
const clientTimeoutMs = 70_000;

/** How often jobs run, in minutes. */
const schedule = { 'recover-batches': 5, 'do-work': 1, 'expire-dids': 5, 'maintain-metadata-index': 5 } as const;
type JobName = keyof typeof schedule | 'free-space' | 'recount-usage' | 'move-data';

const minute = 60_000;

/** How long clients reuse a token. */
const tokenReuseMs = 10 * minute;

type Parts = Pick<Deployment, 'scheduler' | 'table' | 'storage' | 'fleet' | 'faultInjector'>;

/** A deployment of the service in virtual time: instances, table, stream, schedules and faults. */
export class Deployment {
  readonly scheduler: Scheduler;
  readonly table: SimulatedTable;
  readonly storage: SimulatedStorage;
  readonly watch: StorageWatch;
  readonly faultInjector: FaultInjector;
  readonly stream: Stream;
  readonly fleet: Fleet;
  /** Counts of faults and other events, by kind. */
  readonly counts: Map<string, number>;
  /** Jobs that failed without a fault, and what jobs found. */
  readonly failedJobs: string[] = [];
  /** The number of changes of the table so far. */
  changes = 0;
  readonly #random: Random;
  /** The service is being restored. */
  isDown = false;
  #restored = 0;
  #jobsUnderWay = 0;
  #calmUnderWay = 0;
  #calmOnes = 0;
  #token: { readonly text: string; readonly until: number } | undefined;
  #hasJobs = true;
  /** Factor by which jobs run less often than scheduled, for long idle times. */
  #rarity = 1;

  private constructor(parts: Parts, random: Random) {
    const { scheduler, table, storage, fleet, faultInjector } = parts;
    this.scheduler = scheduler;
    this.table = table;
    this.storage = storage;
    this.watch = new StorageWatch(this);
    this.fleet = fleet;
    this.faultInjector = faultInjector;
    this.counts = table.counts;
    this.#random = random;
    this.stream = new Stream(scheduler, fleet, faultInjector, random.fork('stream'));
    table.onRecords = (records) => {
      this.changes += records.length;
      this.stream.add(records);
    };
  }

  /** Makes a deployment and starts its schedules. */
  static async open(random: Random, kinds: ReadonlySet<FaultKind>, variant?: Variant): Promise<Deployment> {
    const scheduler = new Scheduler(Date.UTC(2026, 10, 22, 12));
    const behaviour = { conflicts: kinds.has('conflict'), indexLag: kinds.has('index lag') };
    const [table, evaluate] = [
      await SimulatedTable.open(scheduler, behaviour, new Map()),
      await bundleService(variant),
    ];
    const storage = new SimulatedStorage(table.counts);
    const premises = { scheduler, table, storage, evaluate, environment };
    const fleet = new Fleet(premises, random.fork('fleet'), kinds.has('clock skew') ? 0.5 : 0);
    const faultInjector = new FaultInjector(kinds, table, table.counts);
    faultInjector.isOn = false;
    const deployment = new Deployment({ scheduler, table, storage, fleet, faultInjector }, random);
    await scheduler.run(deployment.withoutFaults((service) => service.bootstrap()));
    for (const name of Object.keys(schedule) as (keyof typeof schedule)[]) void deployment.#repeat(name);
    return deployment;
  }

  /** Invokes an instance without faults, which nothing ends. */
  async withoutFaults<T>(work: (service: ServiceModule) => Promise<T>): Promise<T> {
    while (this.isDown) await this.scheduler.sleep(10);
    this.#calmUnderWay += 1;
    return this.#invokeCalm(work).finally(() => {
      this.#calmUnderWay -= 1;
    });
  }

  #invokeCalm<T>(work: (service: ServiceModule) => Promise<T>): Promise<T> {
    this.#calmOnes += 1;
    return this.fleet.invoke(this.#random.fork(`calm ${this.#calmOnes}`), () => undefined, work);
  }

  /** The machine fails, and a backup of what it had goes on. */
  async restore(kind: BackupKind): Promise<void> {
    if (this.isDown) return;
    while (this.#calmUnderWay > 0) await this.scheduler.sleep(1);
    this.isDown = true;
    this.stream.isHeld = true;
    // Now, so that what is still followed of an earlier backup does not let the stream go on.
    this.#restored += 1;
    await restoreBackup(this, kind, (work) => this.#invokeCalm(work));
    this.faultInjector.count(`restoration of a backup by ${kind}`);
    this.isDown = false;
    void this.#followOwed();
  }

  /** Before the stream, and beside requests. */
  async #followOwed(): Promise<void> {
    const { restored } = this;
    this.#jobsUnderWay += 1;
    await followOwed(this, this.#random, () => restored === this.restored);
    if (restored === this.restored) this.stream.isHeld = false;
    this.#jobsUnderWay -= 1;
  }

  /** Sends a request without faults; with another token, as clients do, if a process with a wrong clock refuses that one. */
  async requestAny(request: ClientRequest): Promise<Reply> {
    const send = () => this.withoutFaults((service) => this.#sendTo(service, request));
    const reply = await send();
    if (reply.status !== 401) return reply;
    this.#token = undefined;
    return send();
  }

  /** Sends a request without faults, which must succeed; again if the table throttles or others are at the same items. */
  async requestSuccess(request: ClientRequest): Promise<Reply> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.requestAny(request);
      if (reply.status < 300) return reply;
      if (reply.status !== 503 || attempt === 10) {
        throw new Error(`${request.method} ${request.path}: ${reply.status} ${reply.text}`);
      }
      this.faultInjector.count('repeated preparation');
      await this.scheduler.sleep(10_000);
    }
  }

  /**
   * Sends a request as a client does.
   *
   * @param over Called when the request can have no further effect.
   * @param decide The faults at the service's requests to the table; absent: those of the deployment.
   * @returns undefined when no answer came.
   */
  async request(
    request: ClientRequest,
    random: Random,
    over: () => void = () => {},
    decide: Decide = this.faultInjector.decideBy(random.fork('faults')),
  ): Promise<Reply | undefined> {
    if (this.isDown) {
      over();
      return badGateway;
    }
    const answer = this.fleet
      .invoke(random.fork('service'), decide, (service) => this.#sendTo(service, request))
      .catch((error: unknown) => {
        if (error instanceof InstanceDied) return badGateway;
        throw error;
      });
    const began = this.scheduler.now;
    const end = (reply?: Reply) => {
      // A time-out leaves unfinished work, which continues when its instance is invoked again.
      if (reply === badGateway || this.scheduler.now < began + maxInvocationMs - 1_000) over();
    };
    void answer.then(end, () => end());
    const limit = this.scheduler.sleep(clientTimeoutMs).then(() => undefined);
    const reply = await Promise.race([answer, limit]);
    return this.faultInjector.occurs('lost reply', 0.005, random) ? undefined : reply;
  }

  /** Ends all faults and waits until nothing is under way. */
  async endFaults(): Promise<void> {
    this.faultInjector.isOn = false;
    this.fleet.correctClocks();
    this.table.behave({ conflicts: false, indexLag: false });
    this.#rarity = 5;
    await this.waitUntilQuiet();
    this.#rarity = 1;
  }

  /** Lets time pass while only jobs run. */
  async advance(milliseconds: number): Promise<void> {
    this.#rarity = 5;
    await this.scheduler.sleep(milliseconds);
    this.#rarity = 1;
    for (let calm = 0; calm < 2; calm += 1) {
      await this.runJob('do-work');
      await this.waitUntilQuiet();
    }
    this.table.expire();
  }

  /** Waits until nothing is under way. */
  async waitUntilQuiet(): Promise<void> {
    while (!this.isQuiet) await this.scheduler.sleep(1_000);
  }

  /** How often it was restored from a backup. */
  get restored(): number {
    return this.#restored;
  }

  get isQuiet(): boolean {
    return this.fleet.busy === 0 && this.#jobsUnderWay === 0 && this.stream.isQuiet;
  }

  /** Allows faults again. */
  resume(kinds: ReadonlySet<FaultKind>): void {
    this.faultInjector.isOn = true;
    this.table.behave({ conflicts: kinds.has('conflict'), indexLag: kinds.has('index lag') });
  }

  close(): void {
    this.#hasJobs = false;
    this.table.close();
  }

  async #repeat(name: keyof typeof schedule): Promise<void> {
    for (;;) {
      await this.scheduler.sleep(Math.max(schedule[name], Math.min(10, schedule[name] * this.#rarity)) * minute);
      if (!this.#hasJobs) return;
      await this.runJob(name);
    }
  }

  /** Runs a job now, beside its schedule. */
  async runJob(name: JobName): Promise<void> {
    if (this.isDown) return;
    const random = this.#random.fork(`${name} ${this.scheduler.now}`);
    const isCalm = !this.faultInjector.isOn;
    this.#jobsUnderWay += 1;
    try {
      const decide = this.faultInjector.decideBy(random);
      const found = await this.fleet.invoke<unknown>(random, decide, async ({ jobs }) => jobs[name]());
      if (Array.isArray(found)) this.failedJobs.push(...found.map((flaw) => `${name} found: ${flaw}`));
    } catch (error) {
      if (isCalm) this.failedJobs.push(`${name} failed: ${String(error)}`);
      else this.faultInjector.count('failed job');
    } finally {
      this.#jobsUnderWay -= 1;
    }
  }

  /** Routes a request to its function, as the gateway does. */
  async #sendTo(service: ServiceModule, { method, path, body, headers }: ClientRequest): Promise<Reply> {
    const [plain = '', query = ''] = path.split('?');
    const handler = service.handlers[`/${plain.split('/')[1]}`];
    if (handler === undefined) throw new Error(`no function serves ${path}`);
    const parameters = [...new URLSearchParams(query)].map(([key, value]) => [key, [value]] as const);
    const event = gatewayEvent(method, plain, {
      headers: { 'X-Rucio-Auth-Token': await this.#findToken(service), ...headers },
      query: Object.fromEntries(parameters),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const context = { awsRequestId: 'simulated', getRemainingTimeInMillis: () => 300_000 };
    const { statusCode, body: text, headers: sent } = await handler(event, context as Parameters<typeof handler>[1]);
    return { status: statusCode, text: typeof text === 'string' ? text : '', etag: sent?.['ETag'] };
  }

  /** A token of an account. */
  tokenOf(account: string): Promise<string> {
    return this.withoutFaults((service) => service.tokenOf(account));
  }

  /** The token of requests that bring none; renewed before it expires. */
  async #findToken(service: ServiceModule): Promise<string> {
    const { now } = this.scheduler;
    if (this.#token === undefined || now > this.#token.until) {
      this.#token = { text: await service.tokenOf(), until: now + tokenReuseMs };
    }
    return this.#token.text;
  }
}

const environment = {
  TABLE_NAME: tableName,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'simulated',
  AWS_SECRET_ACCESS_KEY: 'simulated',
  LOG_LEVEL: process.env['SIMULATE_LOG'] || 'SILENT',
  POWERTOOLS_DEV: 'false',
  RESPONSE_MODE: 'buffer',
  PASSWORD_ROUNDS: '16',
  REAPER: 'on',
  TOKEN_KEY: 'a key that signs the tokens of a simulation',
};
