import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';

import { consume } from '../lib/background/consume.ts';
import { prompt } from '../lib/background/reactions.ts';
import type { Reaction } from '../lib/domain/values/reaction.ts';
import { openStore, type Store } from '../lib/store/open-store.ts';

/**
 * Follows the stream of the table: does what follows from changes of the catalogue. Throws when that fails, so that Lambda
 * delivers again, in halves; answers from where on records are to be delivered again that cannot be read yet.
 */
export function createConsumer(store: Store, reactions: readonly Reaction[]) {
  return async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const { changes, undone } = await store.readStream(Records);
    await consume({ store: store.begin(), now: Date.now() }, changes, reactions);
    return { batchItemFailures: undone === undefined ? [] : [{ itemIdentifier: undone }] };
  };
}

/** Runs on the records of the table's stream: what follows at once. */
export const handler = createConsumer(openStore(), prompt);
