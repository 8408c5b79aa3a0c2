/** The owner of events: they are delayed while it is frozen and dropped when it has ended. */
export interface Owner {
  readonly isGone: boolean;
  readonly isHeld: boolean;
  /** Keeps an event until it thaws. */
  keep(event: Event): void;
}

/** An event at a virtual time. */
export interface Event {
  at: number;
  order: number;
  readonly run: () => void;
  readonly owner: Owner | undefined;
  isCancelled: boolean;
}

/** Turns of the real event loop without an event after which a run counts as stuck. */
const maxIdleTurns = 2_000;

/**
 * Virtual time: events run one after the other in the order of their times, each together with its immediate consequences.
 * Nothing that takes real time may decide an order.
 */
export class Scheduler {
  /** Milliseconds since 1970, with fractions. */
  now: number;
  readonly #heap: Event[] = [];
  #count = 0;

  constructor(start: number) {
    this.now = start;
  }

  /** Number of events so far. */
  get count(): number {
    return this.#count;
  }

  /** Plans an event. Events of the same time run in the order in which they were planned. */
  at(time: number, run: () => void, owner?: Owner): Event {
    this.#count += 1;
    const event: Event = { at: Math.max(time, this.now), order: this.#count, run, owner, isCancelled: false };
    this.#push(event);
    return event;
  }

  /** Plans kept events again, in their order, from now on. */
  release(events: readonly Event[]): void {
    for (const event of [...events].sort((a, b) => (isBefore(a, b) ? -1 : 1))) {
      this.#count += 1;
      event.at = Math.max(event.at, this.now);
      event.order = this.#count;
      this.#push(event);
    }
  }

  after(milliseconds: number, run: () => void, owner?: Owner): Event {
    return this.at(this.now + milliseconds, run, owner);
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((goOn) => {
      this.after(milliseconds, goOn);
    });
  }

  /**
   * Runs events until a promise settles.
   *
   * @throws What the promise is rejected with; Error if no event is left that could settle it.
   */
  async run<T>(main: Promise<T>): Promise<T> {
    const state = { isDone: false };
    const end = () => {
      state.isDone = true;
    };
    main.then(end, end);
    await turn();
    for (let idle = 0; !state.isDone; await turn()) {
      const event = this.#pop();
      idle = event === undefined ? idle + 1 : 0;
      if (idle > maxIdleTurns) throw new Error('the simulation is stuck: nothing is planned, and it is not done');
      if (event !== undefined) this.#happen(event);
    }
    return main;
  }

  #happen(event: Event): void {
    if (event.isCancelled || event.owner?.isGone === true) return;
    if (event.owner?.isHeld === true) {
      event.owner.keep(event);
      return;
    }
    this.now = Math.max(this.now, event.at);
    event.run();
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isBefore(heap[parent] as Event, event)) break;
      heap[at] = heap[parent] as Event;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child += 1;
      if (isBefore(last, heap[child] as Event)) break;
      heap[at] = heap[child] as Event;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

const isBefore = (one: Event, other: Event) => one.at < other.at || (one.at === other.at && one.order < other.order);

const { setImmediate: wait } = globalThis;

/** Waits for the immediate consequences of an event. */
function turn(): Promise<void> {
  return new Promise((goOn) => {
    wait(goOn);
  });
}
