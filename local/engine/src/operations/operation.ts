import type { Output } from '../json.ts';
import type { Storage } from '../storage/storage.ts';

/** The context of an operation. */
export interface Context {
  readonly storage: Storage;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** An operation of DynamoDB. */
export interface Operation {
  /** Whether it changes data and is therefore part of a commit. */
  readonly writes: boolean;
  /** @throws EngineError if it is refused; nothing has changed then. */
  run(context: Context, input: never): Output | undefined;
}

/** Declares an operation that only reads. */
export function reading(run: Operation['run']): Operation {
  return { writes: false, run };
}

/** Declares an operation that writes. It must throw any refusal before it changes anything. */
export function writing(run: Operation['run']): Operation {
  return { writes: true, run };
}
