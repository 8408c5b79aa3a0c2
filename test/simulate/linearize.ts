import { type Catalogue, type Change, isObservation, isReading } from './model.ts';

/** The outcome as the client knows it. `unknown`: a 503 or a lost answer, which does not say whether the change was carried out. */
export type Outcome = 'unknown' | { readonly done: string } | { readonly refused: string };

/** A request that a client sent. */
export interface Call {
  readonly id: number;
  readonly change: Change;
  outcome: Outcome;
  /** When its instance was done or dead, in milliseconds: it cannot take effect later. */
  overAt: number;
}

/** The beginning or the end of a call, in the order of time. */
export interface Moment {
  readonly kind: 'call' | 'return';
  readonly call: Call;
}

/** A possible state: the catalogue, and which open calls have taken effect. */
interface Candidate {
  readonly catalogue: Catalogue;
  readonly done: ReadonlySet<number>;
}

/** Beyond this number the check gives up. */
const maxCandidates = 20_000;

/** There are more candidates than can be followed. */
export class TooManyCandidates extends Error {}

/** No order of the requests explains an answer or a catalogue. */
export class NotLinearizable extends Error {}

/**
 * Checks linearizability: each request takes effect at one instant between its call and its answer; one with an unknown outcome
 * at any time, or never. Follows all states that explain the answers so far.
 */
export class Candidates {
  #ways: Candidate[];
  readonly #open = new Map<number, Call>();

  constructor(start: Catalogue) {
    this.#ways = [{ catalogue: start, done: new Set() }];
  }

  /** One of the catalogues that are possible. */
  get example(): Catalogue {
    return this.#ways[0]?.catalogue as Catalogue;
  }

  /**
   * Follows the moments since the last call. All outcomes of calls that have returned must be known.
   *
   * @throws NotLinearizable; TooManyCandidates.
   */
  follow(moments: readonly Moment[]): void {
    for (const { kind, call } of moments) {
      if (call.outcome === 'unknown' && isReading(call.change)) continue;
      if (kind === 'call') {
        this.#open.set(call.id, call);
        this.#ways = distinct(this.#ways.map((way) => this.#settle(way)));
      } else if (call.outcome !== 'unknown') this.#return(call);
    }
  }

  /**
   * Compares with the real catalogue, while the only calls under way are those that are not over.
   *
   * @param readSince When reading it began, in milliseconds: it may lack changes that ended later.
   * @throws NotLinearizable when it cannot be so; TooManyCandidates.
   */
  takeSnapshot(found: Catalogue, readSince: number): void {
    const reached = this.#reach(this.#ways, () => true);
    const matching = reached.filter(({ catalogue }) => catalogue.text === found.text);
    if (matching.length === 0) throw new NotLinearizable(describeDifference(reached, found));
    this.#forgetOver(readSince);
    const stillOpen = (id: number) => this.#open.has(id);
    this.#ways = distinct(
      matching.map(({ catalogue, done }) => ({ catalogue, done: new Set([...done].filter(stillOpen)) })),
    );
  }

  /** Continues from a catalogue as the only candidate; calls that are not over may still take effect. */
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
      throw new NotLinearizable(
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

  /** All candidates that some lead to when open calls take effect. */
  #reach(from: readonly Candidate[], goesOn: (way: Candidate) => boolean): Candidate[] {
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
        if (found.size > maxCandidates) throw new TooManyCandidates(`${found.size} ways`);
      }
    }
    return [...found.values()];
  }

  /** Lets calls without effect happen at once, which reduces the number of candidates. */
  #settle(way: Candidate): Candidate {
    let done: Set<number> | undefined;
    for (const call of this.#open.values()) {
      if (!isWithoutEffect(call) || way.done.has(call.id)) continue;
      if (takeEffect(way, call) !== undefined) (done ??= new Set(way.done)).add(call.id);
    }
    return done === undefined ? way : { catalogue: way.catalogue, done };
  }
}

/** It read, or it was refused. Setting a value that is already set does not count: another change may come in between. */
function isWithoutEffect({ change, outcome }: Call): boolean {
  return outcome !== 'unknown' && (isObservation(change) || 'refused' in outcome);
}

/** The candidate after a call has taken effect; undefined if its outcome is impossible there. */
function takeEffect({ catalogue, done }: Candidate, { id, change, outcome }: Call): Candidate | undefined {
  const possible = catalogue.judge(change);
  const after = (next: Catalogue): Candidate => {
    return { catalogue: change.do === 'match' ? next.forgetTag(change.tag) : next, done: new Set([...done, id]) };
  };
  if (outcome === 'unknown') return 'next' in possible ? after(possible.next) : undefined;
  if ('refused' in outcome) return possible.refusals?.has(outcome.refused) === true ? after(catalogue) : undefined;
  if (!('next' in possible)) return undefined;
  return possible.answer === undefined || possible.answer === outcome.done ? after(possible.next) : undefined;
}

const textOf = ({ catalogue, done }: Candidate) => `${[...done].toSorted((a, b) => a - b).join()}\n${catalogue.state}`;

const distinct = (ways: readonly Candidate[]) => [...new Map(ways.map((way) => [textOf(way), way])).values()];

function explain(catalogue: Catalogue, change: Change): string {
  const possible = catalogue.judge(change);
  const answers = 'next' in possible ? [possible.answer ?? 'done'] : [];
  return `  possible was ${[...answers, ...(possible.refusals ?? [])].join(' or ')}`;
}

/** How a catalogue differs from the closest candidate. */
function describeDifference(ways: readonly Candidate[], found: Catalogue): string {
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
