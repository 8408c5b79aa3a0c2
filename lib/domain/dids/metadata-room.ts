import type { DidKey } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import { bytesOfFreeMetadata, maxUserBytes } from '../../store/entities/user-room.ts';
import { formatDid } from '../values/format-did.ts';

type FreeMetadata = Readonly<Record<string, unknown>>;

/** Changes of free metadata that let it grow by more than this, or beyond half of its room, are made one after the other. */
const [maxUnlockedGrowth, maxUnlockedBytes] = [2_048, maxUserBytes / 2];

/**
 * Requires that the free metadata of a DID fits into the room that users have of its item. What was imported
 * with more may become smaller.
 *
 * @returns Whether other changes of the metadata must not take effect meanwhile: together they might not fit.
 * @throws PayloadTooLarge (413), which names the DID.
 */
export function requireMetadataRoom(did: DidKey, before: FreeMetadata, after: FreeMetadata): boolean {
  const [former, bytes] = [bytesOfFreeMetadata(before), bytesOfFreeMetadata(after)];
  if (bytes > maxUserBytes && bytes > former) {
    const text = `The free metadata of ${formatDid(did)} would take ${bytes} bytes`;
    fail('PayloadTooLarge', `${text}; ${maxUserBytes} of the 400 KB of an item are for it.`);
  }
  return bytes - former > maxUnlockedGrowth || (bytes > former && bytes > maxUnlockedBytes);
}
