import { gatewayEvent } from '../support/event.ts';
import type { ClientRequest } from './actions.ts';
import { bundleService, type ServiceModule } from './bundle.ts';
import { type FaultKind, Trouble } from './faults.ts';
import { Fleet, longest, type Reply } from './fleet.ts';
import { type Decide, Died } from './instance.ts';
import type { Random } from './random.ts';
import { tableName } from './records.ts';
import { Scheduler } from './scheduler.ts';
import { Stream } from './stream.ts';
import { SimulatedTable } from './table.ts';

/** What is answered where an instance dies. */
const badGateway: Reply = { status: 502, text: '' };

/** How long a client waits for an answer, in milliseconds. */
const clientPatience = 70_000;

/** How often jobs run, in minutes. */
const schedule = { 'recover-batches': 5, 'do-work': 1, 'expire-dids': 5, 'maintain-metadata-index': 5 } as const;
type JobName = keyof typeof schedule;

const minute = 60_000;

/** How long clients go on with a token, in milliseconds. */
const tokenUse = 10 * minute;

/** A deployment of the service in virtual time: instances, table, stream and schedules, and what goes wrong there. */
export class World {
  readonly scheduler: Scheduler;
  readonly table: SimulatedTable;
  readonly trouble: Trouble;
  readonly stream: Stream;
  readonly fleet: Fleet;
  /** Faults and other things that happened, by kind. */
  readonly counts: Map<string, number>;
  /** Jobs that failed although nothing went wrong. */
  readonly complaints: string[] = [];
  readonly #random: Random;
  #jobsUnderWay = 0;
  #calmOnes = 0;
  #token: { readonly text: string; readonly until: number } | undefined;
  #hasJobs = true;
  /** How much rarer than scheduled jobs run; for long times in which nothing happens. */
  #rarity = 1;

  private constructor(scheduler: Scheduler, table: SimulatedTable, fleet: Fleet, trouble: Trouble, random: Random) {
    this.scheduler = scheduler;
    this.table = table;
    this.fleet = fleet;
    this.trouble = trouble;
    this.counts = table.counts;
    this.#random = random;
    this.stream = new Stream(scheduler, fleet, trouble, random.fork('stream'));
    table.onRecords = (records) => this.stream.add(records);
  }

  /** Makes a deployment and begins its schedules. */
  static async open(random: Random, kinds: ReadonlySet<FaultKind>): Promise<World> {
    const scheduler = new Scheduler(Date.UTC(2026, 10, 22, 12));
    const behaviour = { conflicts: kinds.has('conflict'), indexLag: kinds.has('index lag') };
    const [table, evaluate] = [await SimulatedTable.open(scheduler, behaviour, new Map()), await bundleService()];
    const premises = { scheduler, table, evaluate, environment };
    const fleet = new Fleet(premises, random.fork('fleet'), kinds.has('clock skew') ? 0.5 : 0);
    const trouble = new Trouble(kinds, table, table.counts);
    trouble.isOn = false;
    const world = new World(scheduler, table, fleet, trouble, random);
    await scheduler.run(world.calmly((service) => service.bootstrap()));
    for (const name of Object.keys(schedule) as JobName[]) void world.#repeat(name);
    return world;
  }

  /** Has a healthy instance do something. */
  calmly<T>(work: (service: ServiceModule) => Promise<T>): Promise<T> {
    this.#calmOnes += 1;
    return this.fleet.invoke(this.#random.fork(`calm ${this.#calmOnes}`), () => undefined, work);
  }

  /** Sends a request that must succeed, from a place where nothing goes wrong. */
  async require(request: ClientRequest): Promise<Reply> {
    const reply = await this.calmly((service) => this.#sendTo(service, request));
    if (reply.status >= 300) throw new Error(`${request.method} ${request.path}: ${reply.status} ${reply.text}`);
    return reply;
  }

  /**
   * Sends a request as a client does.
   *
   * @param over Told when nothing more can come of it.
   * @param decide What befalls the service's requests to the table; absent: what may go wrong anywhere.
   * @returns undefined when no answer came.
   */
  async request(
    request: ClientRequest,
    random: Random,
    over: () => void = () => {},
    decide: Decide = this.trouble.decideBy(random.fork('faults')),
  ): Promise<Reply | undefined> {
    const answer = this.fleet
      .invoke(random.fork('service'), decide, (service) => this.#sendTo(service, request))
      .catch((error: unknown) => {
        if (error instanceof Died) return badGateway;
        throw error;
      });
    const began = this.scheduler.now;
    const end = (reply?: Reply) => {
      // An answer before the time is over leaves the work under way: it goes on whenever its instance is invoked again.
      if (reply === badGateway || this.scheduler.now < began + longest - 1_000) over();
    };
    void answer.then(end, () => end());
    const limit = this.scheduler.sleep(clientPatience).then(() => undefined);
    const reply = await Promise.race([answer, limit]);
    return this.trouble.strikes('lost reply', 0.005, random) ? undefined : reply;
  }

  /** Ends all faults and waits until everything that was under way is done. */
  async calmDown(): Promise<void> {
    this.trouble.isOn = false;
    this.table.behave({ conflicts: false, indexLag: false });
    this.#rarity = 5;
    while (!this.isQuiet) await this.scheduler.sleep(1_000);
    this.#rarity = 1;
  }

  /** Lets time pass in which only jobs run. */
  async pass(milliseconds: number): Promise<void> {
    this.#rarity = 5;
    await this.scheduler.sleep(milliseconds);
    this.#rarity = 1;
    for (let calm = 0; calm < 2; calm += 1) {
      await this.#run('do-work');
      while (!this.isQuiet) await this.scheduler.sleep(1_000);
    }
    this.table.expire();
  }

  get isQuiet(): boolean {
    return this.fleet.busy === 0 && this.#jobsUnderWay === 0 && this.stream.isQuiet;
  }

  /** Lets faults happen again. */
  resume(kinds: ReadonlySet<FaultKind>): void {
    this.trouble.isOn = true;
    this.table.behave({ conflicts: kinds.has('conflict'), indexLag: kinds.has('index lag') });
  }

  close(): void {
    this.#hasJobs = false;
    this.table.close();
  }

  async #repeat(name: JobName): Promise<void> {
    for (;;) {
      await this.scheduler.sleep(Math.max(schedule[name], Math.min(10, schedule[name] * this.#rarity)) * minute);
      if (!this.#hasJobs) return;
      await this.#run(name);
    }
  }

  async #run(name: JobName): Promise<void> {
    const random = this.#random.fork(`${name} ${Math.floor(this.scheduler.now)}`);
    const isCalm = !this.trouble.isOn;
    this.#jobsUnderWay += 1;
    try {
      await this.fleet.invoke(random, this.trouble.decideBy(random), async ({ jobs }) => jobs[name]());
    } catch (error) {
      if (isCalm) this.complaints.push(`${name} failed: ${String(error)}`);
      else this.trouble.count('failed job');
    } finally {
      this.#jobsUnderWay -= 1;
    }
  }

  /** Hands a request to the function that serves it, as the gateway does. */
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
    const { statusCode, body: text } = await handler(event, context as Parameters<typeof handler>[1]);
    return { status: statusCode, text: typeof text === 'string' ? text : '' };
  }

  /** The token that all requests have which bring none; a new one in good time. */
  async #findToken(service: ServiceModule): Promise<string> {
    const { now } = this.scheduler;
    if (this.#token === undefined || now > this.#token.until) {
      this.#token = { text: await service.tokenOf(), until: now + tokenUse };
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
  TOKEN_KEY: 'a key that signs the tokens of a simulation',
};
