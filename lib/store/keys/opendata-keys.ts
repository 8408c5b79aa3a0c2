import type { DidKey } from '../../contract/schemas/did.ts';
import type { OpendataState } from '../../contract/schemas/states.ts';
import { shardOf } from '../values/shards.ts';
import { didKeys } from './did-keys.ts';
import { join, type Key, part, readName, sortableTime, spellName } from './key-parts.ts';

// The first parts of the keys below. Constants rather than an object, so that bundles contain only the keys that they use.
const listPrefix = 'OPENDATA';
const doiPrefix = 'OPENDATADOI';
const recordPrefix = 'OPENDATARECORD';

/** The place of an entry in the list of its state. */
export interface OpendataPlace {
  /** When the state was last set, in milliseconds since 1970. */
  readonly at: number;
  readonly did: DidKey;
}

/** The keys of open data. */
export const opendataKeys = {
  entry: (did: DidKey): Key => ({ PK: didKeys.partition(did), SK: 'OPENDATA' }),
  /** Apart from the entry, since it may be large. */
  metadata: (did: DidKey): Key => ({ PK: didKeys.partition(did), SK: 'OPENDATAMETA' }),
  /** The list of a state, in the order of change. */
  listed: (state: OpendataState, { at, did: { scope, name } }: OpendataPlace): Key => ({
    PK: opendataKeys.listShard(state, shardOf(name)),
    SK: join(sortableTime(at), scope, spellName(name)),
  }),
  listShard: (state: OpendataState, shard: number): string => join(listPrefix, state, String(shard)),
  /** How many entries a shard has in a state. */
  count: (state: OpendataState, shard: number): Key => ({ PK: opendataKeys.counts, SK: join(state, String(shard)) }),
  counts: listPrefix,
  doi: (doi: string): Key => ({ PK: join(doiPrefix, doi), SK: 'DID' }),
  record: (id: number): Key => ({ PK: join(recordPrefix, String(id)), SK: 'DID' }),
} as const;

/** Reads the place back out of the key of a row of a list. */
export function opendataPlaceOf({ SK }: Key): OpendataPlace {
  return { at: Number(part(SK, 0)), did: { scope: part(SK, 1), name: readName(part(SK, 2)) } };
}

/** Reads state and shard back out of the key of a count. */
export function opendataCountOf({ SK }: Key): { state: string; shard: number } {
  return { state: part(SK, 0), shard: Number(part(SK, 1)) };
}
