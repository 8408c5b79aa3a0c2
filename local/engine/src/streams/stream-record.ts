import type { Item } from '../values/attribute-value.ts';

/** A record of a stream, in the form in which Lambda gives it. */
export interface StreamRecord {
  readonly eventID?: string | undefined;
  readonly eventName?: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly dynamodb?: StreamChange;
}

/** The part of a record about the item. Keys and images have DynamoDB's form. */
export interface StreamChange {
  /** In seconds since 1970. */
  readonly ApproximateCreationDateTime?: number;
  readonly Keys?: Item;
  readonly NewImage?: Item | undefined;
  readonly OldImage?: Item | undefined;
  readonly SequenceNumber?: string;
  readonly SizeBytes?: number;
  readonly StreamViewType?: 'KEYS_ONLY' | 'NEW_AND_OLD_IMAGES' | 'NEW_IMAGE' | 'OLD_IMAGE';
}
