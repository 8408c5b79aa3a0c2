import { clock } from '../clock.ts';
import type { Reaction } from '../domain/values/reaction.ts';
import { type Store, writerOf } from '../store/open-store.ts';
import { readStream } from '../store/stream/read-stream.ts';
import type { StreamRecord } from '../store/stream/record.ts';
import { consumeChanges } from './consume-changes.ts';

/** Records of the table's stream, as Lambda delivers them. */
interface StreamEvent {
  readonly Records: readonly StreamRecord[];
}

/** The records from which Lambda delivers again; empty: none. */
interface BatchResponse {
  batchItemFailures: { itemIdentifier: string }[];
}

/**
 * Makes a handler of the table's stream that runs reactions on its changes. The handler throws if a reaction fails, so
 * that Lambda delivers the batch again, in halves. It returns the first record that cannot be read yet, so that Lambda
 * delivers again from there.
 */
export function createConsumer(store: Store, reactions: readonly Reaction[]) {
  return async ({ Records }: StreamEvent): Promise<BatchResponse> => {
    const { changes, undone } = await readStream(writerOf(store), Records);
    await consumeChanges({ store: store.begin(), now: clock.now() }, changes, reactions);
    return { batchItemFailures: undone === undefined ? [] : [{ itemIdentifier: undone }] };
  };
}
