import { randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

import { parseJson, toJson } from '../../json.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { LostRace, type Plan } from '../items/plan.ts';
import { attributesReader, isBytes, isNumber } from '../items/read-attributes.ts';
import { rseKeys } from '../keys/rse-keys.ts';
import { changedSince, getFleetState } from './fleet-version.ts';
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

const readPack = attributesReader<{ readonly version: number; readonly packed: Uint8Array }>({
  version: isNumber,
  packed: isBytes,
});

/** A copy of the pack; undefined where there is none. */
export async function getPackedFleet(table: Table): Promise<PackedFleet | undefined> {
  const item = await table.get(rseKeys.fleetPack(randomInt(packCopies)));
  if (item === undefined) return undefined;
  const { version, packed } = readPack(item);
  const items = parseJson((await decompress(packed)).toString()) as Item[];
  return { version, rses: items.map(toRse) };
}

/**
 * The write that makes a copy of the pack anew; none while the present one is of use, and where the fleet is small, too large for an item
 * or changing.
 */
export async function packFleet(latest: Table, slot: number): Promise<Plan> {
  const table = latest.latest();
  const key = rseKeys.fleetPack(slot);
  // The version is read before the fleet: readers of the pack read again the RSEs that change in between.
  const [state, former] = await Promise.all([getFleetState(table), table.get(key)]);
  const present = former === undefined ? undefined : readPack(former).version;
  const changed = present === undefined ? undefined : changedSince(state, present);
  if (state.version === undefined || (changed !== undefined && changed.length <= maxChanges)) return [];
  const items = await Array.fromAsync(table.query({ pk: rseKeys.partition, ...rseKeys.rses }));
  if (items.length < leastRses || items.some((item) => toRse(item).unsettled.length > 0)) return [];
  const packed = new Uint8Array(await compress(toJson(items), options));
  if (packed.length > maxPackedBytes) return [];
  const content = { version: state.version, packed };
  const makeRaceError = () => new LostRace('the fleet was packed concurrently');
  return former === undefined
    ? [{ kind: 'insert', item: { ...key, ...content }, onExists: makeRaceError }]
    : [{ kind: 'change', key, patch: { set: content }, when: { version: present }, onMismatch: makeRaceError }];
}
