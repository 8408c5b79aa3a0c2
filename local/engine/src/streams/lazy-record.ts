import type { StoredRecord } from '../storage/record-store.ts';
import { toSeconds } from '../tables/describe.ts';
import type { Item } from '../values/attribute-value.ts';
import { parseItem } from '../values/item-text.ts';
import type { KeyAttributes } from '../values/key.ts';
import { keysOfRecord, printSequence } from './describe-stream.ts';
import type { StreamChange, StreamRecord } from './stream-record.ts';

/** Keys or an item, in DynamoDB's form. */
type Image = Item;

/**
 * A record for a reader in this process, in the form in which Lambda gives it. Keys and images are parsed when they are
 * asked for: most readers want only few of the records.
 */
export class LazyRecord implements StreamRecord {
  readonly sequence: number;
  readonly eventName: StoredRecord['event'];
  readonly dynamodb: StreamChange;

  /** @param keys The key attributes of the table. */
  constructor(stored: StoredRecord, keys: KeyAttributes) {
    this.sequence = stored.sequence;
    this.eventName = stored.event;
    this.dynamodb = new LazyChange(stored, keys);
  }

  get eventID(): string | undefined {
    return this.dynamodb.SequenceNumber;
  }
}

class LazyChange implements StreamChange {
  readonly #stored: StoredRecord;
  readonly #keyAttributes: KeyAttributes;
  #sequenceNumber: string | undefined;
  #keys: Image | undefined;
  #new: Image | undefined;
  #old: Image | undefined;

  constructor(stored: StoredRecord, keys: KeyAttributes) {
    this.#stored = stored;
    this.#keyAttributes = keys;
  }

  get SequenceNumber(): string {
    return (this.#sequenceNumber ??= printSequence(this.#stored.sequence));
  }

  /** In seconds since 1970. */
  get ApproximateCreationDateTime(): number {
    return Math.floor(toSeconds(this.#stored.at));
  }

  get Keys(): Image {
    return (this.#keys ??= keysOfRecord(this.#stored, this.#keyAttributes));
  }

  get NewImage(): Image | undefined {
    return (this.#new ??= parseImage(this.#stored.new));
  }

  get OldImage(): Image | undefined {
    return (this.#old ??= parseImage(this.#stored.old));
  }
}

function parseImage(text: string | null): Image | undefined {
  return text === null ? undefined : parseItem(text);
}
