import { randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

import { cachePerTable } from '../../cache.ts';
import { parseJson, toJson } from '../../json.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { LostRace, type Plan } from '../items/plan.ts';
import { attributesReader, isBytes, isNumber } from '../items/read-attributes.ts';
import { rseKeys } from '../keys/rse-keys.ts';
import { changedSince, type FleetState, getFleetState } from './fleet-version.ts';
import { type Rse, toRse } from './rse.ts';

/*
 * The whole fleet as it was at a version, compressed: what a process reads that starts, with the RSEs that changed since then
 * (docs/adr/0010-rse-fleet.md). So hundreds of processes that start together do not wait for the one partition of the RSEs. A pack may
 * be old; one whose version the copies of the version do not name any more is of no use.
 */

/** The number of copies of the pack: with some 25 units each, 480 processes may start a second. */
export const packCopies = 4;

/** A smaller fleet is read as it is: that costs hardly more. */
const leastRses = 100;

/** An item holds 400 KB. */
const maxPackedBytes = 390_000;

/** A pack is made anew when so many RSEs have changed: half of what the copies of the version name. */
const maxChanges = 9;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** The fleet at a version, or some RSEs as they are later. */
export interface PackedFleet {
  readonly version: number;
  readonly rses: readonly Rse[];
}

/** A pack as its copies have it. */
interface Pack {
  readonly version: number;
  readonly packed: Uint8Array;
}

const readPack = attributesReader<Pack>({ version: isNumber, packed: isBytes });

const allKeys = Array.from({ length: packCopies }, (_none, slot) => rseKeys.fleetPack(slot));

/** The version of the oldest copy that this process has read or written: while it is of use, no copy need be read. */
const knownVersions = cachePerTable<number>({ ttlMs: Number.POSITIVE_INFINITY, maxEntries: 1 });
const known = 'version';

/** A copy of the pack; undefined where there is none. */
export async function getPackedFleet(table: Table): Promise<PackedFleet | undefined> {
  const item = await table.get(rseKeys.fleetPack(randomInt(packCopies)));
  if (item === undefined) return undefined;
  const { version, packed } = readPack(item);
  const items = parseJson((await decompress(packed)).toString()) as Item[];
  return { version, rses: items.map(toRse) };
}

/** A pack to replace the copies with; undefined while all are of use, and where the fleet is small, too large for an item or changing. */
export async function makePack(latest: Table): Promise<Pack | undefined> {
  const table = latest.latest();
  // The version is read before the fleet: readers of the pack read again the RSEs that change in between.
  const state = await getFleetState(table);
  if (state.version === undefined || isOfUse(state, knownVersions(table).get(known))) return undefined;
  const copies = (await table.getMany(allKeys)).map((item) => readPack(item).version);
  const oldest = copies.length === packCopies ? Math.min(...copies) : undefined;
  if (oldest !== undefined && isOfUse(state, oldest)) {
    knownVersions(table).set(known, oldest);
    return undefined;
  }
  const items = await Array.fromAsync(table.query({ pk: rseKeys.partition, ...rseKeys.rses }));
  if (items.length < leastRses || items.some((item) => toRse(item).unsettled.length > 0)) return undefined;
  const packed = new Uint8Array(await compress(toJson(items), options));
  return packed.length > maxPackedBytes ? undefined : { version: state.version, packed };
}

/** The write that replaces a copy of the pack; none where it is the same. */
export async function replacePack(latest: Table, slot: number, { version, packed }: Pack): Promise<Plan> {
  const key = rseKeys.fleetPack(slot);
  const former = await latest.latest().get(key);
  const makeRaceError = () => new LostRace('the fleet was packed concurrently');
  if (former === undefined) return [{ kind: 'insert', item: { ...key, version, packed }, onExists: makeRaceError }];
  const present = readPack(former).version;
  if (present === version) return [];
  return [
    { kind: 'change', key, patch: { set: { version, packed } }, when: { version: present }, onMismatch: makeRaceError },
  ];
}

/** Notes that all copies are of a version. */
export function keepPackedVersion(table: Table, version: number): void {
  knownVersions(table).set(known, version);
}

/** Whether a pack of a version need not be made anew. */
function isOfUse(state: FleetState, version: number | undefined): boolean {
  const changed = version === undefined ? undefined : changedSince(state, version);
  return changed !== undefined && changed.length <= maxChanges;
}
