import { cachePerTable } from '../../cache.ts';
import { latestEffectMs } from '../batches/commit.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import {
  attributesReader,
  hasShape,
  isFlag,
  isNumber,
  isText,
  listOf,
  oneOf,
  optional,
  recordOf,
} from '../items/read-attributes.ts';
import { metadataIndexKeys } from '../keys/metadata-index-keys.ts';

/**
 * The state of a metadata key in the metadata index (docs/adr/0009-metadata-index.md).
 *
 * - `filling`: writes maintain it, entries of older values are being added, no search uses it.
 * - `ready`: writes maintain it, searches use it.
 * - `retiring`: writes maintain it for searches with a cached state that still use it.
 * - `dropping`: no write maintains it; its entries are being removed.
 */
export type KeyState = 'filling' | 'ready' | 'retiring' | 'dropping';

/** The name of the state of all free metadata keys together. No metadata key holds a dot. */
export const freeKeysName = '.free';

/** Indexed keys of the free metadata, and the time since when. */
export interface FreeIndex {
  /** Counts the changes of these settings. Each epoch has lists of its own of the keys that are indexed. */
  readonly epoch: number;
  /** The most keys of a scope. */
  readonly maxKeys: number;
  /** Keys that are not indexed. */
  readonly excluded: readonly string[];
  /** While it is being filled: what DIDs note of their entries may be wrong, since older code has changed DIDs. */
  readonly isDoubtful: boolean;
}

/** How far the index has been built. */
export interface Position {
  readonly scope: string;
  readonly shard: number;
  /** Name of the last DID that was processed; absent: none of the shard. */
  readonly name?: string;
}

/** The state of the metadata index. */
export interface IndexState {
  /** The configured keys, and {@link freeKeysName}. */
  readonly keys: ReadonlyMap<string, KeyState>;
  /** Absent: no free metadata has been indexed yet. */
  readonly free?: FreeIndex;
  /** When a key last changed its state, in milliseconds since 1970. */
  readonly since: number;
  /** While the index is being built: its progress. */
  readonly position?: Position;
  /** Counts the changes of the state. */
  readonly version: number;
}

/** The configured keys that every write of a DID maintains. */
export function indexedKeys({ keys: states }: IndexState): string[] {
  return [...states].filter(([key, state]) => key !== freeKeysName && state !== 'dropping').map(([key]) => key);
}

/** The settings of the free metadata, if every write of a DID maintains its entries. */
export function maintainedFree({ keys, free }: IndexState): FreeIndex | undefined {
  const state = keys.get(freeKeysName);
  return state === undefined || state === 'dropping' ? undefined : free;
}

/** The settings of the free metadata, if searches use it. */
export function searchableFree({ keys, free }: IndexState): FreeIndex | undefined {
  return keys.get(freeKeysName) === 'ready' ? free : undefined;
}

/** The stored state; undefined while there is no index. */
export async function getIndexState(table: Table): Promise<IndexState | undefined> {
  const item = await table.get(metadataIndexKeys.state);
  return item === undefined ? undefined : fromItem(item);
}

/** How long a process uses a state that it has read. */
const stateLifetimeMs = 60_000;

/**
 * Time after a change of the index state until every process uses it, and all that was decided by an older one has taken effect or
 * never will.
 */
export const settlingTimeMs = stateLifetimeMs + latestEffectMs;

/** One entry a table. */
const statesOf = cachePerTable<IndexState>({ ttlMs: stateLifetimeMs, isShared: true });
const onlyState = 'state';

/**
 * The state, at most a minute old. That there is none is not cached: an index that is created before the first scope is
 * ready at once, which no process may miss.
 */
export async function getCachedIndexState(table: Table): Promise<IndexState | undefined> {
  const states = statesOf(table);
  return states.get(onlyState) ?? states.reload(onlyState, () => getIndexState(table.latest()));
}

/** Has the next caller read a state that this process has just changed. */
export function invalidateIndexState(table: Table): void {
  statesOf(table).invalidate(onlyState);
}

/**
 * The write that changes the state.
 *
 * @param former The state that it follows; undefined when there is none yet.
 */
export function putIndexState(next: Omit<IndexState, 'version'>, former: IndexState | undefined): Insert | Change {
  const version = (former?.version ?? 0) + 1;
  const free = next.free === undefined ? {} : { free: next.free };
  const set = { keys: Object.fromEntries(next.keys), since: next.since, version, ...free };
  const raced = () => new LostRace('the state of the metadata index was changed concurrently');
  if (former === undefined) return { kind: 'insert', item: { ...metadataIndexKeys.state, ...set }, onExists: raced };
  const patch =
    next.position === undefined ? { set, remove: ['position'] } : { set: { ...set, position: next.position } };
  return { kind: 'change', key: metadataIndexKeys.state, patch, when: { version: former.version }, onMismatch: raced };
}

const isKeyState = oneOf<KeyState>({ filling: true, ready: true, retiring: true, dropping: true });

const isPosition = hasShape<Position>({
  scope: isText,
  shard: isNumber,
  name: optional(isText),
});

const isFreeIndex = hasShape<FreeIndex>({
  epoch: isNumber,
  maxKeys: isNumber,
  excluded: listOf(isText),
  isDoubtful: isFlag,
});

/** The state as it is stored. */
interface StoredState extends Omit<IndexState, 'keys'> {
  readonly keys: Readonly<Record<string, KeyState>>;
}

const readState = attributesReader<StoredState>({
  keys: recordOf(isKeyState),
  since: isNumber,
  free: optional(isFreeIndex),
  position: optional(isPosition),
  version: isNumber,
});

function fromItem(item: Item): IndexState {
  const { keys, ...state } = readState(item);
  return { ...state, keys: new Map(Object.entries(keys)) };
}
