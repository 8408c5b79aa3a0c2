import type { DidKey } from '../../lib/contract/schemas/did.ts';
import { changeDid } from '../../lib/store/entities/did.ts';
import { ItemTooLarge } from '../../lib/store/items/item-too-large.ts';
import { keyOf } from '../../lib/store/items/plan.ts';
import type { Key } from '../../lib/store/keys/key-parts.ts';
import type { Store } from '../../lib/store/open-store.ts';

/** No item has more bytes. */
const maxBytes = 400 * 1_024;

/** An item without its filler has about so many bytes. */
const guessedBytes = 512;

/** A filled item keeps this many bytes free: a counter takes one more from time to time. */
const leastRoom = 4;

/**
 * Fills the item of a DID as an earlier version of Dapple let its users do, which knew no limit of metadata.
 *
 * @param room The bytes that it leaves, beside a few.
 */
export async function fillItem(store: Store, did: DidKey, room = 0): Promise<void> {
  const fill = (bytes: number) =>
    store.write(async () => [
      changeDid(
        did,
        { set: { 'meta:filler': 'x'.repeat(bytes) } },
        { onMismatch: () => new Error('there is no such DID') },
      ),
    ]);
  const fits = async (bytes: number) => {
    try {
      await fill(bytes);
      return true;
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'PayloadTooLarge') throw error;
      return false;
    }
  };
  // The last attempt that fits stays; one that does not changes nothing.
  let [most, tooMany] = [maxBytes - guessedBytes, maxBytes];
  while (!(await fits(most))) [most, tooMany] = [most - guessedBytes, most];
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (await fits(middle)) most = middle;
    else tooMany = middle;
  }
  await fill(most - room - leastRoom);
}

/** A store in which the item of a DID has no room for any change. */
export function withFullItem(store: Store, did: DidKey): Store {
  return withFullItemAt(store, changeDid(did, {}, { onMismatch: () => new Error() }).key);
}

/** A store in which the item of a key has no room for any change. */
export function withFullItemAt(store: Store, { PK, SK }: Key): Store {
  const write: Store['write'] = (plan, options) =>
    store.write(async (latest) => {
      const writes = await plan(latest);
      if (writes.some((one) => keyOf(one).PK === PK && keyOf(one).SK === SK))
        throw new ItemTooLarge(undefined, { PK, SK });
      return writes;
    }, options);
  return {
    ...store,
    begin: () => withFullItemAt(store.begin(), { PK, SK }),
    write,
    async decide(plan, options) {
      let answer: unknown;
      await write(async (latest) => {
        const outcome = await plan(latest);
        ({ answer } = outcome);
        return outcome.writes;
      }, options);
      return answer as never;
    },
  };
}
