import { Replay } from '../model/replay.ts';
import { type Action, collections, homeRse, requestOf, ruleRses, type Step } from './actions.ts';
import type { FaultKind } from './faults.ts';
import type { Reply } from './fleet.ts';
import { type Call, type Moment, NoWay, type Outcome, TooManyWays, Ways } from './linearize.ts';
import { Catalogue, type Change } from './model.ts';
import { audit, awaitsIndex, observe, shownDid } from './observe.ts';
import { Random } from './random.ts';
import { World } from './world.ts';

/** How a simulation goes. */
export interface Settings {
  readonly seed: string;
  readonly kinds: ReadonlySet<FaultKind>;
  /** Steps between two looks at the whole catalogue; absent: the seed decides. */
  readonly stretch?: number;
}

/** What a simulation has come to. */
export interface Verdict {
  /** What must not be, in words; empty: nothing was found. */
  readonly flaws: readonly string[];
  /** What happened, by kind. */
  readonly counts: ReadonlyMap<string, number>;
  /** A number that differs when anything went another way. */
  readonly trace: number;
}

const scope = 'sim';

/** Steps between two looks at the whole catalogue, of which the seed takes one. */
const stretches = [60, 120, 240] as const;

/** Longer than a request to the table is on its way, in milliseconds. */
const longestWay = 5_000;

/** Longer than any trace of a request may last, in milliseconds. */
const longAfter = 80 * 60_000;

/** Goes through a history in a world of its own and says what must not be. Everything in it depends on the seed alone. */
export async function simulate(history: readonly Step[], settings: Settings): Promise<Verdict> {
  const world = await World.open(new Random(settings.seed).fork('world'), settings.kinds);
  try {
    const course = new Course(world, settings);
    await world.scheduler.run(course.run(history));
    return { flaws: course.flaws, counts: world.counts, trace: course.trace };
  } finally {
    world.close();
  }
}

/** One simulation, from the first step to the last look. */
class Course {
  readonly flaws: string[] = [];
  trace = 0;
  readonly #world: World;
  readonly #settings: Settings;
  readonly #random: Random;
  #moments: Moment[] = [];
  #ways = new Ways(new Catalogue());
  readonly #rulesMade = new Set<string>();
  readonly #rulesGone = new Set<string>();
  readonly #began: number;
  #calls = 0;

  constructor(world: World, settings: Settings) {
    this.#world = world;
    this.#settings = settings;
    this.#random = new Random(settings.seed);
    this.#began = world.scheduler.now;
  }

  async run(history: readonly Step[]): Promise<void> {
    const { stretch = this.#random.fork('stretch').pick(stretches), kinds } = this.#settings;
    await this.#prepare();
    for (let start = 0; start < history.length && this.flaws.length === 0; start += stretch) {
      this.#world.resume(kinds);
      await this.#perform(history.slice(start, start + stretch));
      await this.#look();
    }
    if (this.flaws.length > 0) return;
    await this.#world.calmDown();
    await this.#look();
    if (this.flaws.length > 0) return;
    await this.#world.pass(longAfter);
    await this.#look(true);
    await this.#check();
  }

  async #prepare(): Promise<void> {
    const world = this.#world;
    await world.require({ method: 'POST', path: `/scopes/root/${scope}` });
    for (const rse of [homeRse, ...ruleRses]) {
      await world.require({ method: 'POST', path: `/rses/${rse}`, body: {} });
      await world.require({ method: 'POST', path: `/accounts/root/limits/local/${rse}`, body: { bytes: -1 } });
    }
    for (const name of collections) await world.require(requestOf(scope, { do: 'create', names: [name] }));
    this.#ways = new Ways((await observe(world, scope)).catalogue);
  }

  /** Has clients do their steps, each one after the other. */
  async #perform(steps: readonly Step[]): Promise<void> {
    const busy = new Map<number, Promise<void>>();
    for (const { id, client, action } of steps) {
      if (action.do === 'pause') {
        await this.#world.scheduler.sleep(action.milliseconds);
        continue;
      }
      const random = this.#random.fork(`step ${id}`);
      await busy.get(client);
      await this.#world.scheduler.sleep(random.between(0, 60));
      busy.set(client, this.#act(action, random));
    }
    await Promise.all(busy.values());
    // What instances had sent when they died has arrived by then.
    await this.#world.scheduler.sleep(longestWay);
  }

  async #act(action: Exclude<Action, { do: 'pause' }>, random: Random): Promise<void> {
    this.#world.trouble.count('operation');
    switch (action.do) {
      case 'empty': {
        const reply = await this.#ask(`/dids/${scope}/${action.name}/dids`, random.fork('list'));
        const children = namesIn(reply).slice(0, action.count);
        if (children.length > 0) await this.#change({ do: 'detach', name: action.name, children }, random);
        return;
      }
      case 'rule':
        return this.#makeRule(action.name, action.rse, random);
      case 'unrule': {
        const reply = await this.#ask(`/dids/${scope}/${action.name}/rules`, random.fork('list'));
        const [rule] = reply?.status === 200 ? rowsIn(reply) : [];
        if (rule !== undefined) await this.#endRule(String(rule['id']), random);
        return;
      }
      case 'state': {
        const files = [{ scope, name: action.name, state: action.state }];
        const body = { rse: action.rse, files };
        this.#refuseFaults(action, await this.#send({ method: 'PUT', path: '/replicas', body }, random));
        return;
      }
      default:
        return this.#change(action, random);
    }
  }

  async #change(change: Change, random: Random): Promise<void> {
    const call: Call = { id: (this.#calls += 1), change, outcome: 'unknown', overAt: Infinity };
    this.#moments.push({ kind: 'call', call });
    const over = () => {
      call.overAt = this.#world.scheduler.now;
    };
    const reply = await this.#send(requestOf(scope, change), random, over);
    this.#refuseFaults(change, reply);
    call.outcome = outcomeOf(change, reply);
    this.#moments.push({ kind: 'return', call });
  }

  async #makeRule(name: string, rse: string, random: Random): Promise<void> {
    const body = { dids: [{ scope, name }], account: 'root', copies: 1, rse_expression: rse, grouping: 'ALL' };
    const reply = await this.#send({ method: 'POST', path: '/rules/', body }, random);
    this.#refuseFaults({ do: 'rule', name, rse }, reply);
    if (reply?.status === 201) for (const id of JSON.parse(reply.text) as string[]) this.#rulesMade.add(id);
  }

  async #endRule(id: string, random: Random): Promise<void> {
    const reply = await this.#send({ method: 'DELETE', path: `/rules/${id}` }, random);
    if (reply?.status === 200) this.#rulesGone.add(id);
    else if (isUnknown(reply)) this.#rulesMade.delete(id);
  }

  #ask(path: string, random: Random): Promise<Reply | undefined> {
    return this.#send({ method: 'GET', path }, random);
  }

  async #send(request: Parameters<World['request']>[0], random: Random, over: () => void = () => {}) {
    const reply = await this.#world.request(request, random, over);
    this.#note(`${request.method} ${request.path} ${reply?.status} ${Math.round(this.#world.scheduler.now * 1e3)}`);
    this.#world.trouble.count(`answer ${reply?.status ?? 'none'}`);
    return reply;
  }

  /** Nothing that a client does deserves a 500, whatever goes wrong below. */
  #refuseFaults(action: Action, reply: Reply | undefined): void {
    if (reply?.status === 500) this.flaws.push(`${JSON.stringify(action)} was answered 500 ${reply.text}`);
  }

  /** Looks at the catalogue while nobody is at it, and asks whether it can be so. */
  async #look(isSettled = false): Promise<void> {
    if (this.flaws.length > 0) return;
    this.#world.trouble.count('look');
    const moments = this.#moments;
    this.#moments = [];
    let isDecided = this.#judge(() => this.#ways.follow(moments));
    // A request of which nobody was told the outcome may take effect while the catalogue is read: then it is read anew.
    for (let former: string | undefined; this.flaws.length === 0;) {
      const since = this.#world.scheduler.now;
      const { catalogue, flaws, late } = await observe(this.#world, scope);
      this.#note(catalogue.text);
      this.flaws.push(...flaws);
      if (isSettled || (this.#world.isQuiet && !awaitsIndex(this.#world))) this.flaws.push(...late);
      isDecided &&= this.#judge(() => this.#ways.observe(catalogue, since));
      if (!isDecided) this.#ways.restart(catalogue, moments, since);
      if (this.flaws.length === 0 || catalogue.text === former) return;
      former = catalogue.text;
      this.flaws.length = 0;
    }
  }

  /** Notes where no order of the requests explains what was found; false where there are too many to say. */
  #judge(follow: () => void): boolean {
    try {
      follow();
    } catch (error) {
      if (error instanceof NoWay) this.flaws.push(error.message);
      else if (error instanceof TooManyWays) {
        this.#world.trouble.count('undecided look');
        return false;
      } else throw error;
    }
    return true;
  }

  async #check(): Promise<void> {
    if (this.flaws.length > 0) return;
    this.flaws.push(...(await audit(this.#world, this.#rulesGone, this.#rulesMade)));
    this.flaws.push(...this.#world.stream.givenUp, ...this.#world.complaints);
    const holdings = await this.#world.calmly((service) => service.listHoldings([scope]));
    const told = await this.#world.calmly(async ({ listAllEvents, parseJson }) => {
      const replay = new Replay();
      for (const text of await listAllEvents(this.#began - 60_000)) {
        replay.hear(parseJson(text) as Parameters<Replay['hear']>[0]);
      }
      return replay.inventory();
    });
    this.#world.trouble.count('final look');
    this.flaws.push(...differences(holdings, told));
  }

  #note(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.trace = (Math.imul(this.trace, 31) + text.charCodeAt(at)) >>> 0;
  }
}

function outcomeOf(change: Change, reply: Reply | undefined): Outcome {
  if (reply === undefined || isUnknown(reply)) return 'unknown';
  if (reply.status < 300) return { done: change.do === 'look' ? shownDid(reply.text) : '' };
  return { refused: (JSON.parse(reply.text) as { ExceptionClass: string }).ExceptionClass };
}

const isUnknown = (reply: Reply | undefined) => reply === undefined || reply.status >= 500;

const rowsIn = ({ text }: Reply) =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Readonly<Record<string, unknown>>]));

const namesIn = (reply: Reply | undefined) =>
  reply?.status === 200 ? rowsIn(reply).map(({ name }) => String(name)) : [];

/** What one list has and the other has not; a few of them. */
function differences(held: readonly string[], told: readonly string[]): string[] {
  const [heldSet, toldSet] = [new Set(held), new Set(told)];
  const untold = held.filter((text) => !toldSet.has(text)).map((text) => `no event tells of ${text}`);
  const unreal = told.filter((text) => !heldSet.has(text)).map((text) => `events tell of ${text}, which is not so`);
  return [...untold.slice(0, 3), ...unreal.slice(0, 3)];
}
