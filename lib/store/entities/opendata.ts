import type { DidKey } from '../../contract/schemas/did.ts';
import { type OpendataState, opendataStates } from '../../contract/schemas/states.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import { sliceOfShard } from '../batches/shard-slice.ts';
import type { Slice, Table } from '../batches/table.ts';
import { type Change, type Insert, LostRace, type Write } from '../items/plan.ts';
import { attributesReader, isFlag, isNumber, isText, oneOf, optional } from '../items/read-attributes.ts';
import { type Key, textOfKey } from '../keys/key-parts.ts';
import { opendataCountOf, opendataKeys, type OpendataPlace, opendataPlaceOf } from '../keys/opendata-keys.ts';
import { shardOf, shards } from '../values/shards.ts';

/** An entry of open data: a DID that is published, or may be (spec/access.md 10). Times in milliseconds since 1970. */
export interface OpendataEntry {
  readonly did: DidKey;
  readonly state: OpendataState;
  readonly createdAt: number;
  /** When its state was last set. */
  readonly updatedAt: number;
  readonly doi?: string;
  readonly recordId?: number;
  /** It has metadata. */
  readonly isDescribed?: boolean;
  readonly rev?: number;
}

/** A row of a list of entries. */
export type ListedEntry = Pick<OpendataEntry, 'did' | 'state' | 'createdAt' | 'updatedAt'>;

/** How many entries are in each state, by shard; shards without an item had none so far. */
export type OpendataCounts = ReadonlyMap<OpendataState, ReadonlyMap<number, number>>;

/** The entry of a DID. */
export async function getOpendataEntry(table: Table, did: DidKey): Promise<OpendataEntry | undefined> {
  const item = await table.get(opendataKeys.entry(did));
  return item === undefined ? undefined : { ...readEntry(item), did };
}

/** The metadata of a DID's entry, as the text of a JSON object; undefined if it has none. */
export async function getOpendataMetadata(table: Table, did: DidKey): Promise<string | undefined> {
  const item = await table.get(opendataKeys.metadata(did));
  return item === undefined ? undefined : String(item['meta']);
}

/** The entries in some states in the order of their last change; `slice` by place. */
export function listOpendata(
  table: Table,
  states: readonly OpendataState[],
  slice: Slice<OpendataPlace> = {},
): ReadyRows<ListedEntry> {
  const streams = states.flatMap((state) => shards.map((shard) => listShard(table, state, shard, sliceOfShard(slice))));
  return mergeSorted(streams, (entry) => opendataKeys.listed(entry.state, placeOf(entry)).SK);
}

function listShard(
  table: Table,
  state: OpendataState,
  shard: number,
  { after, pageSize }: Slice<OpendataPlace>,
): ReadyRows<ListedEntry> {
  const start = after === undefined ? undefined : opendataKeys.listed(state, after).SK;
  return table.query({ pk: opendataKeys.listShard(state, shard), after: start, pageSize }, (item) => {
    const { at, did } = opendataPlaceOf(item);
    return { did, state, updatedAt: at, ...readRow(item) };
  });
}

/** The numbers of entries; one read. */
export async function countOpendata(table: Table): Promise<OpendataCounts> {
  const counts = new Map(opendataStates.map((state) => [state, new Map<number, number>()]));
  for await (const item of table.query({ pk: opendataKeys.counts })) {
    const { state, shard } = opendataCountOf(item);
    for (const [known, byShard] of counts) if (known === state) byShard.set(shard, Number(item['entries']));
  }
  return counts;
}

/** The writes that insert an entry without DOI, record and metadata. */
export function insertOpendata(entry: OpendataEntry, counts: OpendataCounts, onExists: () => Error): Write[] {
  const { did, ...attributes } = entry;
  return [
    { kind: 'insert', item: { ...opendataKeys.entry(did), ...attributes }, onExists },
    insertRow(entry),
    count(entry, counts),
  ];
}

/** The writes that delete entries that were read, with all that belongs to them. */
export function deleteOpendata(entries: readonly OpendataEntry[]): Write[] {
  const lists = Map.groupBy(entries, ({ state, did }) => textOfKey(opendataKeys.count(state, shardOf(did.name))));
  return [
    ...entries.flatMap(deleteEntry),
    ...[...lists.values()].flatMap(([entry, ...others]) =>
      entry === undefined ? [] : [uncount(entry, others.length + 1)],
    ),
  ];
}

function deleteEntry(entry: OpendataEntry): Write[] {
  const { did, doi, recordId, isDescribed } = entry;
  return [
    { ...deleteItem(opendataKeys.entry(did), entry), when: { rev: entry.rev } },
    deleteRow(entry),
    ...(doi === undefined ? [] : [deleteItem(opendataKeys.doi(doi), entry)]),
    ...(recordId === undefined ? [] : [deleteItem(opendataKeys.record(recordId), entry)]),
    ...(isDescribed === true ? [deleteItem(opendataKeys.metadata(did), entry)] : []),
  ];
}

/** Values that a change of an entry sets. */
export interface OpendataPatch {
  /** With the time of the change, in milliseconds since 1970. */
  readonly state?: { readonly state: OpendataState; readonly at: number } | undefined;
  readonly doi?: string | undefined;
  readonly recordId?: number | undefined;
  /** The text of a JSON object. */
  readonly meta?: string | undefined;
}

/** The errors of a DOI and a record that another entry has. */
export interface OpendataTaken {
  readonly doi: (doi: string) => Error;
  readonly recordId: (recordId: number) => Error;
}

/** The writes that change an entry that was read. */
export function changeOpendata(
  entry: OpendataEntry,
  { state: wanted, doi, recordId, meta }: OpendataPatch,
  counts: OpendataCounts,
  taken: OpendataTaken,
): Write[] {
  const { did } = entry;
  const set = {
    ...(wanted === undefined ? {} : { state: wanted.state, updatedAt: wanted.at }),
    ...(doi === undefined ? {} : { doi }),
    ...(recordId === undefined ? {} : { recordId }),
    ...(meta === undefined ? {} : { isDescribed: true }),
  };
  const newDoi = doi === entry.doi ? undefined : doi;
  const newRecordId = recordId === entry.recordId ? undefined : recordId;
  return [
    {
      kind: 'change',
      key: opendataKeys.entry(did),
      patch: { set, add: { rev: 1 } },
      when: { rev: entry.rev },
      onMismatch: () => makeRaceError(entry),
    },
    ...(wanted === undefined ? [] : moveRow(entry, wanted, counts)),
    ...(newDoi === undefined ? [] : takeName(opendataKeys.doi(newDoi), did, () => taken.doi(newDoi))),
    ...(newDoi === undefined || entry.doi === undefined ? [] : [deleteItem(opendataKeys.doi(entry.doi), entry)]),
    ...(newRecordId === undefined
      ? []
      : takeName(opendataKeys.record(newRecordId), did, () => taken.recordId(newRecordId))),
    ...(newRecordId === undefined || entry.recordId === undefined
      ? []
      : [deleteItem(opendataKeys.record(entry.recordId), entry)]),
    ...(meta === undefined ? [] : [putMetadata(entry, meta)]),
  ];
}

function moveRow(
  entry: OpendataEntry,
  { state, at }: { readonly state: OpendataState; readonly at: number },
  counts: OpendataCounts,
): Write[] {
  const moved = { ...entry, state, updatedAt: at };
  // Set twice in a millisecond, the row stays where it is.
  if (state === entry.state && at === entry.updatedAt) return [];
  return [
    deleteRow(entry),
    insertRow(moved),
    ...(state === entry.state ? [] : [uncount(entry, 1), count(moved, counts)]),
  ];
}

function takeName(key: Key, { scope, name }: DidKey, onExists: () => Error): Insert[] {
  return [{ kind: 'insert', item: { ...key, scope, name }, onExists }];
}

function putMetadata(entry: OpendataEntry, meta: string): Write {
  const key = opendataKeys.metadata(entry.did);
  return entry.isDescribed === true
    ? { kind: 'change', key, patch: { set: { meta } }, onMismatch: () => makeRaceError(entry) }
    : { kind: 'insert', item: { ...key, meta }, onExists: () => makeRaceError(entry) };
}

function insertRow(entry: OpendataEntry): Insert {
  const { state, createdAt } = entry;
  const item = { ...opendataKeys.listed(state, placeOf(entry)), createdAt };
  return { kind: 'insert', item, onExists: () => makeRaceError(entry) };
}

function deleteRow(entry: OpendataEntry): Change {
  return deleteItem(opendataKeys.listed(entry.state, placeOf(entry)), entry);
}

/** The write that counts an entry in its state. */
function count(entry: OpendataEntry, counts: OpendataCounts): Write {
  const shard = shardOf(entry.did.name);
  if (counts.get(entry.state)?.has(shard) === true) return uncount(entry, -1);
  const item = { ...opendataKeys.count(entry.state, shard), entries: 1 };
  return { kind: 'insert', item, onExists: () => makeRaceError(entry) };
}

/** The write that counts fewer entries in the state and the shard of an entry, which are counted there. */
function uncount(entry: OpendataEntry, entries: number): Change {
  const key = opendataKeys.count(entry.state, shardOf(entry.did.name));
  return { kind: 'change', key, patch: { add: { entries: -entries } }, onMismatch: () => makeRaceError(entry) };
}

function deleteItem(key: Key, entry: OpendataEntry): Change {
  return { kind: 'change', key, patch: { delete: true }, onMismatch: () => makeRaceError(entry) };
}

const placeOf = ({ did, updatedAt }: ListedEntry): OpendataPlace => ({ at: updatedAt, did });

function makeRaceError({ did: { scope, name } }: OpendataEntry): LostRace {
  return new LostRace(`the open data ${scope}:${name} were changed concurrently`);
}

const readEntry = attributesReader<Omit<OpendataEntry, 'did'>>({
  state: oneOf<OpendataState>({ PUBLIC: true, DRAFT: true, SUSPENDED: true }),
  createdAt: isNumber,
  updatedAt: isNumber,
  doi: optional(isText),
  recordId: optional(isNumber),
  isDescribed: optional(isFlag),
  rev: optional(isNumber),
});

const readRow = attributesReader<Pick<ListedEntry, 'createdAt'>>({ createdAt: isNumber });
