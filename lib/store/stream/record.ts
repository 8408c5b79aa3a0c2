import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue as StreamValue, DynamoDBRecord } from 'aws-lambda';

import { toNumber } from '../items/client.ts';
import { internalAttributes, type Item, stagedPrefix } from '../items/item.ts';
import type { Key } from '../keys/key-parts.ts';

/** A record of the table's stream as Lambda hands it over, with both images. */
export type StreamRecord = DynamoDBRecord;

/** What a record says of an item; what was not there, or is not there any more, has no image. */
export interface ItemChange {
  /** The same whenever the record is read. */
  readonly id: string;
  readonly sequenceNumber: string;
  /** When the item was changed, in milliseconds since 1970, to the second. */
  readonly at: number;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** The key of the item that a record is about. */
export function keyOfRecord({ dynamodb }: StreamRecord): Key {
  return { PK: dynamodb?.Keys?.['PK']?.S ?? '', SK: dynamodb?.Keys?.['SK']?.S ?? '' };
}

/** Reads a record: exact integers, without the changes that bulk requests have left beside the values of the item. */
export function readRecord({ eventID, dynamodb }: StreamRecord): ItemChange {
  return {
    id: eventID ?? dynamodb?.SequenceNumber ?? '',
    sequenceNumber: dynamodb?.SequenceNumber ?? '',
    at: readTime(dynamodb?.ApproximateCreationDateTime),
    before: readImage(dynamodb?.OldImage),
    after: readImage(dynamodb?.NewImage),
  };
}

/** Lambda writes seconds; a record that was read from the stream by hand has a date. */
function readTime(time: number | string | undefined): number {
  return typeof time === 'string' ? Date.parse(time) : (time ?? 0) * 1000;
}

const unread = new Set(['gone', ...internalAttributes]);

function readImage(image: Record<string, StreamValue> | undefined): Item | undefined {
  if (image === undefined) return undefined;
  const present = Object.entries(image).filter(([name]) => !unread.has(name) && !name.startsWith(stagedPrefix));
  const values = Object.fromEntries(present) as unknown as Record<string, AttributeValue>;
  return unmarshall(values, { wrapNumbers: toNumber }) as unknown as Item;
}
