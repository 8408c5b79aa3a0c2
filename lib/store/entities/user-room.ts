import { itemSize } from '../items/item-size.ts';
import { metadataAttributes, unindexedAttribute } from './did-metadata.ts';

/**
 * The most bytes that users may fill of an item with what they choose: free metadata, a filter, templates of rules. The rest of
 * the 400 KB that an item may have belongs to what the service writes itself: replicas, their locks, states and reasons.
 */
export const maxUserBytes = 65_536;

/** Room that is kept free in an item for states, marks and reasons to be written later, in all and by replica. */
export const reservedBytes = { item: 8_192, replica: 512 } as const;

/** The bytes that free metadata takes of an item, with the notes of keys that are not indexed. */
export function bytesOfFreeMetadata(meta: Readonly<Record<string, unknown>>): number {
  const notes = Object.fromEntries(Object.keys(meta).map((key) => [unindexedAttribute(key), true]));
  return itemSize({ ...metadataAttributes({ columns: {}, meta }), ...notes });
}
