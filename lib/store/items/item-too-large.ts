import { RucioError } from '../../errors.ts';
import { didOf, isDidItem } from '../keys/did-keys.ts';
import type { Key } from '../keys/key-parts.ts';

/** A write would make an item larger than DynamoDB allows. */
export class ItemTooLarge extends RucioError {
  /** The item, as far as it is known. */
  readonly key: Key | undefined;
  /** There was no room for the change beside the present values; there may be room for it alone. */
  readonly wasStaged: boolean;

  constructor(cause: unknown, key?: Key, wasStaged = false) {
    const what = 'The item grows beyond the 400 KB that the table can carry.';
    super('PayloadTooLarge', key !== undefined && isDidItem(key) ? `${nameOf(key)}: ${what}` : what, { cause });
    [this.key, this.wasStaged] = [key, wasStaged];
  }

  /** This error with the key of its item, unless it has one already. */
  at({ PK, SK }: Key): ItemTooLarge {
    return this.key === undefined ? new ItemTooLarge(this.cause, { PK, SK }) : this;
  }
}

function nameOf(key: Key): string {
  const { scope, name } = didOf(key);
  return `${scope}:${name}`;
}
