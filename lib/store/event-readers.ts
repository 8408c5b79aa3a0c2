import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

import { UpdateCommand } from './items/commands.ts';
import { eventKeys } from './keys/event-keys.ts';
import { type Store, writerOf } from './open-store.ts';

/** A reader of events that begins, and how many may begin in a window of time. */
export interface EventReader {
  readonly account: string;
  /** In milliseconds since 1970. */
  readonly now: number;
  readonly windowMs: number;
  readonly limits: { readonly ofAccount: number; readonly ofAll: number };
}

/**
 * Counts a reader of events, for its account and for all, in the window of time that it begins in. Costs two write units.
 *
 * @returns Which limit it exceeds; undefined: it may read.
 */
export async function countEventReader(
  store: Store,
  { account, now, windowMs, limits }: EventReader,
): Promise<'of the account' | 'of all' | undefined> {
  const { client, tableName } = writerOf(store);
  const begin = now - (now % windowMs);
  const counts = async (Key: Readonly<Record<string, string>>, limit: number): Promise<boolean> => {
    try {
      await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key,
          ConditionExpression: 'attribute_not_exists(#count) OR #count < :limit',
          UpdateExpression: 'ADD #count :one SET #ttl = :ttl',
          ExpressionAttributeNames: { '#count': 'count', '#ttl': 'ttl' },
          ExpressionAttributeValues: { ':limit': limit, ':one': 1, ':ttl': Math.ceil((begin + 2 * windowMs) / 1000) },
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  };
  if (!(await counts({ ...eventKeys.readersOf(begin, account) }, limits.ofAccount))) return 'of the account';
  if (!(await counts({ ...eventKeys.allReaders(begin) }, limits.ofAll))) return 'of all';
  return undefined;
}
