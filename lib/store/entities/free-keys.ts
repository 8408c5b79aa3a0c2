import { cachePerTable } from '../../cache.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Insert, LostRace, type Plan } from '../items/plan.ts';
import { attributesReader, isFlag, isNumber, isText, listOf, optional } from '../items/read-attributes.ts';
import { isKeyPart } from '../keys/key-parts.ts';
import { metadataIndexKeys } from '../keys/metadata-index-keys.ts';
import type { FreeIndex } from './index-state.ts';

/*
 * The free metadata keys of a scope that are indexed. Within an epoch of the index a key is added before its first value is
 * written and never removed, and none is added once one was refused. So a key is indexed with all of its values or not at
 * all, and what a process has cached of the list never makes it write a value without its entry
 * (docs/adr/0009-metadata-index.md).
 */

/** The indexed free keys of a scope. */
export interface FreeKeys {
  readonly keys: ReadonlySet<string>;
  /** A key was refused, since there were too many: no other key is added any more. */
  readonly isFull: boolean;
}

/** The longest key that fits into a key of the table. */
const maxKeyBytes = 255;

/** Whether a key may be indexed at all. */
export function mayBeIndexed(key: string, { excluded }: Pick<FreeIndex, 'excluded'>): boolean {
  return Buffer.byteLength(key) <= maxKeyBytes && !excluded.includes(key);
}

/** The indexed keys of a scope as they are now; none of a text that cannot be a scope. */
export async function getFreeKeys(table: Table, scope: string, epoch: number): Promise<FreeKeys> {
  if (!isKeyPart(scope)) return fromItem(undefined);
  return fromItem(await table.get(metadataIndexKeys.freeKeys(scope, epoch)));
}

const readKeys = attributesReader<{
  readonly keys: readonly string[];
  readonly full?: boolean;
  readonly version: number;
}>({ keys: listOf(isText), full: optional(isFlag), version: isNumber });

function fromItem(item: Item | undefined): FreeKeys & { readonly version: number } {
  if (item === undefined) return { keys: new Set(), isFull: false, version: 0 };
  const { keys, full = false, version } = readKeys(item);
  return { keys: new Set(keys), isFull: full, version };
}

/** The write that inserts the indexed keys of a scope. */
export function insertFreeKeys(scope: string, epoch: number, { keys, isFull }: FreeKeys): Insert {
  const set = { version: 1, keys: [...keys], ...(isFull ? { full: true } : {}) };
  return {
    kind: 'insert',
    item: { ...metadataIndexKeys.freeKeys(scope, epoch), ...set },
    onExists: () => raced(scope),
  };
}

const raced = (scope: string) => new LostRace(`the indexed keys of ${scope} changed`);

/** A scope whose keys all fit is read again when a key is unknown, so an old copy costs a read and nothing else. */
const keysOf = cachePerTable<FreeKeys>({ ttlMs: 3_600_000, maxEntries: 1_000 });

/**
 * The indexed keys of a scope. The answer says of each of the wanted keys that it is indexed, or that it is not: then it
 * either has no values yet, or `isFull` is set and it will never be.
 *
 * Costs one read if a wanted key is not known to the process.
 */
export async function findFreeKeys(
  table: Table,
  scope: string,
  { epoch }: FreeIndex,
  wanted: Iterable<string>,
): Promise<FreeKeys> {
  const name = `${epoch} ${scope}`;
  const cached = keysOf(table).get(name);
  if (cached !== undefined && (cached.isFull || [...wanted].every((key) => cached.keys.has(key)))) return cached;
  return keysOf(table).reload(name, () => getFreeKeys(table.latest(), scope, epoch));
}

/**
 * The write that adds keys to those of a scope, as many as the limit allows; empty if there is nothing to add. The first one
 * of an epoch takes over the keys of the epoch before.
 *
 * @param latest Reads the present keys.
 */
export async function planFreeKeys(
  latest: Table,
  scope: string,
  free: FreeIndex,
  wanted: readonly string[],
): Promise<Plan> {
  const place = metadataIndexKeys.freeKeys(scope, free.epoch);
  const item = await latest.get(place);
  const { keys, isFull, version } = fromItem(item);
  if (isFull || wanted.every((key) => keys.has(key))) return [];
  const former = item === undefined && free.epoch > 1 ? await getFreeKeys(latest, scope, free.epoch - 1) : undefined;
  const taken = [...(former?.keys ?? [])].filter((key) => mayBeIndexed(key, free));
  const all = [...new Set([...keys, ...taken, ...wanted])];
  const set = {
    version: version + 1,
    keys: all.slice(0, free.maxKeys),
    ...(all.length > free.maxKeys ? { full: true } : {}),
  };
  const onRace = () => raced(scope);
  return [
    item === undefined
      ? { kind: 'insert', item: { ...place, ...set }, onExists: onRace }
      : { kind: 'change', key: place, patch: { set }, when: { version }, onMismatch: onRace },
  ];
}
