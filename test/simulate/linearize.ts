import type { Catalogue, Change } from './model.ts';

/** What a client was told. `unknown`: nothing that says whether it was done, such as 503 or a lost answer. */
export type Outcome = 'unknown' | { readonly done: string } | { readonly refused: string };

/** A request that a client sent. */
export interface Call {
  readonly id: number;
  readonly change: Change;
  outcome: Outcome;
  /** Since when nothing more can come of it, as whoever carried it out is done or dead; in milliseconds. */
  overAt: number;
}

/** The beginning or the end of a call, in the order of time. */
export interface Moment {
  readonly kind: 'call' | 'return';
  readonly call: Call;
}

/** A way things may have gone: the catalogue, and which of the open calls have taken effect. */
interface Way {
  readonly catalogue: Catalogue;
  readonly done: ReadonlySet<number>;
}

/** Ways that are followed at most; beyond, nothing can be said. */
const mostWays = 20_000;

/** More ways are possible than can be followed. */
export class TooManyWays extends Error {}

/** An answer or a catalogue that no order of the requests explains. */
export class NoWay extends Error {}

/**
 * Follows all ways in which what clients were told may have come about, each request taking effect at one instant between
 * its call and its answer (linearizability); of those with an unknown outcome at any time, or never.
 */
export class Ways {
  #ways: Way[];
  readonly #open = new Map<number, Call>();

  constructor(start: Catalogue) {
    this.#ways = [{ catalogue: start, done: new Set() }];
  }

  /** One of the catalogues that are possible. */
  get example(): Catalogue {
    return this.#ways[0]?.catalogue as Catalogue;
  }

  /**
   * Follows what has happened since the last time. All outcomes of calls that have returned must be known.
   *
   * @throws NoWay; TooManyWays.
   */
  follow(moments: readonly Moment[]): void {
    for (const { kind, call } of moments) {
      if (kind === 'call') {
        this.#open.set(call.id, call);
        this.#ways = distinct(this.#ways.map((way) => this.#settle(way)));
      } else if (call.outcome !== 'unknown') this.#return(call);
    }
  }

  /**
   * Says what the catalogue is now, while no call is under way but those that are not over.
   *
   * @param readSince When it began to be read, in milliseconds: what ended later may not have been seen.
   * @throws NoWay when it cannot be so; TooManyWays.
   */
  observe(found: Catalogue, readSince: number): void {
    const reached = this.#reach(this.#ways, () => true);
    const matching = reached.filter(({ catalogue }) => catalogue.text === found.text);
    if (matching.length === 0) throw new NoWay(describeDifference(reached, found));
    this.#forgetOver(readSince);
    const stillOpen = (id: number) => this.#open.has(id);
    this.#ways = distinct(
      matching.map(({ catalogue, done }) => ({ catalogue, done: new Set([...done].filter(stillOpen)) })),
    );
  }

  /** Takes a catalogue for the true one, whatever has happened; calls that are not over may still take effect. */
  restart(found: Catalogue, moments: readonly Moment[], readSince: number): void {
    for (const { kind, call } of moments) if (kind === 'call') this.#open.set(call.id, call);
    for (const { kind, call } of moments) {
      if (kind === 'return' && call.outcome !== 'unknown') this.#open.delete(call.id);
    }
    this.#forgetOver(readSince);
    this.#ways = [{ catalogue: found, done: new Set() }];
  }

  #forgetOver(by: number): void {
    for (const [id, call] of this.#open) if (call.overAt <= by) this.#open.delete(id);
  }

  #return(call: Call): void {
    const ready = this.#reach(this.#ways, ({ done }) => !done.has(call.id));
    const passed = ready.filter(({ done }) => done.has(call.id));
    if (passed.length === 0) {
      const states = this.#ways.slice(0, 3).map(({ catalogue }) => explain(catalogue, call.change));
      throw new NoWay(
        `${JSON.stringify(call.change)} was answered ${JSON.stringify(call.outcome)}\n${states.join('\n')}`,
      );
    }
    this.#open.delete(call.id);
    const without = passed.map(({ catalogue, done }) => {
      const rest = new Set(done);
      rest.delete(call.id);
      return { catalogue, done: rest };
    });
    this.#ways = distinct(without);
  }

  /** All ways that begin with some, by open calls that take effect. */
  #reach(from: readonly Way[], goesOn: (way: Way) => boolean): Way[] {
    const found = new Map(from.map((way) => [textOf(way), way]));
    const queue = [...from];
    for (let way = queue.pop(); way !== undefined; way = queue.pop()) {
      if (!goesOn(way)) continue;
      for (const call of this.#open.values()) {
        const next = way.done.has(call.id) ? undefined : takeEffect(way, call);
        if (next === undefined) continue;
        const settled = this.#settle(next);
        const text = textOf(settled);
        if (found.has(text)) continue;
        found.set(text, settled);
        queue.push(settled);
        if (found.size > mostWays) throw new TooManyWays(`${found.size} ways`);
      }
    }
    return [...found.values()];
  }

  /** Lets calls take effect that can change nothing: the sooner, the fewer ways there are. */
  #settle(way: Way): Way {
    let done: Set<number> | undefined;
    for (const call of this.#open.values()) {
      if (!isWithoutEffect(call) || way.done.has(call.id)) continue;
      if (takeEffect(way, call) !== undefined) (done ??= new Set(way.done)).add(call.id);
    }
    return done === undefined ? way : { catalogue: way.catalogue, done };
  }
}

/** It read, or it was refused. Who sets what is set already is not one of them: another one may come in between. */
function isWithoutEffect({ change, outcome }: Call): boolean {
  return outcome !== 'unknown' && (change.do === 'look' || 'refused' in outcome);
}

/** The way after a call has taken effect with the outcome that it had; undefined where it cannot have had that. */
function takeEffect({ catalogue, done }: Way, { id, change, outcome }: Call): Way | undefined {
  const possible = catalogue.judge(change);
  const after = (next: Catalogue): Way => ({ catalogue: next, done: new Set([...done, id]) });
  if (outcome === 'unknown') return 'next' in possible ? after(possible.next) : undefined;
  if ('refused' in outcome) {
    if ('next' in possible) return undefined;
    return possible.refusals.has(outcome.refused) ? after(catalogue) : undefined;
  }
  if (!('next' in possible)) return undefined;
  return possible.answer === undefined || possible.answer === outcome.done ? after(possible.next) : undefined;
}

const textOf = ({ catalogue, done }: Way) => `${[...done].toSorted((a, b) => a - b).join()}\n${catalogue.text}`;

const distinct = (ways: readonly Way[]) => [...new Map(ways.map((way) => [textOf(way), way])).values()];

function explain(catalogue: Catalogue, change: Change): string {
  const possible = catalogue.judge(change);
  if ('refusals' in possible) return `  possible was ${[...possible.refusals].join(' or ')}`;
  return `  possible was ${possible.answer ?? 'done'}`;
}

/** Where a catalogue differs from the one that comes closest to it. */
function describeDifference(ways: readonly Way[], found: Catalogue): string {
  const differences = ways.map(({ catalogue }) => {
    const names = new Set([...catalogue.dids.keys(), ...found.dids.keys()]);
    return [...names].flatMap((name) => {
      const [wanted, is] = [catalogue.dids.get(name)?.text, found.dids.get(name)?.text];
      return wanted === is ? [] : [`  ${name}: is ${is ?? 'missing'}\n    should be ${wanted ?? 'missing'}`];
    });
  });
  const [closest = []] = differences.toSorted((a, b) => a.length - b.length);
  return `the catalogue is none that can be:\n${closest.slice(0, 5).join('\n')}`;
}
