/** Fault of one request to a storage of the tests. */
export type StorageFault =
  /** Answered with a status and a code, such as 503 `SlowDown`, or a text; or passed on to another server, by its origin. */
  | { readonly status: number; readonly code?: string; readonly location?: string; readonly body?: string }
  /** The connection is cut before the request has an effect. */
  | 'cut'
  /** The request has its effect; its answer is lost. */
  | 'lose answer'
  /** There is never an answer. */
  | 'hang'
  /** The written content differs from the sent one, or the sent one from what is stored. */
  | 'corrupt'
  /** The connection is cut in the middle of the content that is sent, or of a third-party copy, of which a part stays. */
  | 'cut in the middle'
  /** It is answered with success and a page of somebody else, and has no effect. */
  | 'page'
  /** It is refused with an answer that never ends. */
  | 'endless'
  /** It is answered with next to nothing, for ever. */
  | 'trickle';

/** A request, as faults are chosen by it. */
export interface StorageCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
}

/** Chooses what goes wrong with a request; undefined: nothing. While it waits, so does the request. */
export type ChooseFault = (call: StorageCall) => StorageFault | undefined | Promise<undefined>;

/** Holds the first request that fits until something else is over: as if its sender were frozen, and thawed later. */
export function holdFirst(fits: (call: StorageCall) => boolean, meanwhile: () => Promise<unknown>): ChooseFault {
  let isHeld = false;
  return (call) => {
    if (isHeld || !fits(call)) return undefined;
    isHeld = true;
    return meanwhile().then(() => undefined);
  };
}

/** Lets the first requests that fit go wrong, each in one way. */
export function failFirst(fits: (call: StorageCall) => boolean, ...faults: readonly StorageFault[]): ChooseFault {
  const left = [...faults];
  return (call) => (fits(call) ? left.shift() : undefined);
}
