import type { AttributeValue as StreamValue, DynamoDBRecord } from 'aws-lambda';

import { defined } from '../../defined.ts';
import { pickNatives } from '../items/attribute-values.ts';
import { internalAttributes, type Item, stagedPrefix } from '../items/item.ts';
import type { Key } from '../keys/key-parts.ts';

/** A record of the table's stream as Lambda hands it over, with both images. */
export type StreamRecord = DynamoDBRecord;

/** The change of one item in a stream record; an image is undefined where the item did not exist. */
export interface ItemChange {
  /** Identifies the record: each delivery of it has the same id. */
  readonly id: string;
  readonly sequenceNumber: string;
  /** When the item was changed, in milliseconds since 1970, to the second. */
  readonly at: number;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** The key of the item of a record. */
export function keyOfRecord({ dynamodb }: StreamRecord): Key {
  return { PK: dynamodb?.Keys?.['PK']?.S ?? '', SK: dynamodb?.Keys?.['SK']?.S ?? '' };
}

/** Reads a record: exact integers, without staged changes. */
export function readRecord({ eventID, dynamodb }: StreamRecord): ItemChange {
  return {
    id: eventID ?? dynamodb?.SequenceNumber ?? '',
    sequenceNumber: dynamodb?.SequenceNumber ?? '',
    at: readTime(dynamodb?.ApproximateCreationDateTime),
    before: readImage(dynamodb?.OldImage),
    after: readImage(dynamodb?.NewImage),
  };
}

/** Lambda delivers seconds; records that are read directly from the stream have a date. */
function readTime(time: number | string | undefined): number {
  return typeof time === 'string' ? Date.parse(time) : (time ?? 0) * 1000;
}

const hiddenAttributes = new Set(['gone', ...internalAttributes]);

function readImage(image: Record<string, StreamValue> | undefined): Item | undefined {
  return image === undefined ? undefined : (pickNatives(image, isShown) as unknown as Item);
}

/** A record as it is delivered without its batch: with these images, without stamps and staged changes. */
export function settleRecord(
  { eventID, eventName, dynamodb = {} }: StreamRecord,
  { before, after }: Pick<ItemChange, 'before' | 'after'>,
): StreamRecord {
  const { ApproximateCreationDateTime, Keys, SequenceNumber, OldImage, NewImage } = dynamodb;
  const [old, present] = [before && withoutMarks(OldImage), after && withoutMarks(NewImage)];
  const facts = { ApproximateCreationDateTime, Keys, SequenceNumber, OldImage: old, NewImage: present };
  return defined({ eventID, eventName, dynamodb: defined(facts) }) as StreamRecord;
}

function withoutMarks(image: Record<string, StreamValue> = {}): Record<string, StreamValue> {
  return Object.fromEntries(Object.entries(image).filter(([name]) => name !== 'batch' && isShown(name)));
}

const isShown = (name: string) => !hiddenAttributes.has(name) && !name.startsWith(stagedPrefix);
