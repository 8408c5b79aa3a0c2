import { randomInt } from 'node:crypto';

import { clock } from '../../clock.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Insert, LostRace, type Plan, type Write } from '../items/plan.ts';
import { attributesReader, isNumber, isText, listOf, readAttribute } from '../items/read-attributes.ts';
import { rseKeys } from '../keys/rse-keys.ts';

/*
 * The version of the fleet is on an item of its own, the lock of those who change RSEs, and on copies, one of which every request
 * that needs the fleet reads (docs/adr/0010-rse-fleet.md). A plan that changes an RSE changes all copies in the same commit, so any
 * copy tells the latest version. A copy also names the RSEs that changed last, so that a process reads those alone.
 */

/** The number of copies: each takes 3,000 reads a second. A process that knows fewer would leave the others outdated. */
export const fleetCopies = 40;

/** The most changes that a copy names: with them it is less than 1 KB, which a write unit and a read unit hold. */
const maxNamed = 18;

/** Content of a copy. */
export interface FleetState {
  /** Undefined before the first change of an RSE that wrote copies. */
  readonly version: number | undefined;
  /** `changes` names all RSEs that changed after this version. */
  readonly since: number;
  /** A version and the id of an RSE that it changed, the oldest first. */
  readonly changes: readonly string[];
}

const readState = attributesReader<FleetState>({ version: isNumber, since: isNumber, changes: listOf(isText) });

const noState: FleetState = { version: undefined, since: 0, changes: [] };

const toState = (item: Item | undefined) => (item === undefined ? noState : readState(item));

/** The present content of the copies; one read of one unit. Strongly consistent. */
export async function getFleetState(table: Table): Promise<FleetState> {
  return toState(await table.get(rseKeys.fleetCopy(randomInt(fleetCopies))));
}

/** The ids of the RSEs that changed after a version; undefined where that is not known any more, or was no version of this table. */
export function changedSince({ since, changes }: FleetState, version: number): string[] | undefined {
  const parts = changes.map((change) => change.split('#')).map(([at, id = '']) => ({ at: Number(at), id }));
  if (version !== since && !parts.some(({ at }) => at === version)) return undefined;
  return [...new Set(parts.filter(({ at }) => at > version).map(({ id }) => id))];
}

/** The version that every change of an RSE raises; undefined before the first RSE. Strongly consistent. */
export async function getFleetVersion(table: Table): Promise<number | undefined> {
  return toVersion(await table.get(rseKeys.version));
}

const toVersion = (item: Item | undefined) =>
  item === undefined ? undefined : readAttribute(item, 'version', isNumber);

interface Versions {
  readonly version: number | undefined;
  /** The content of the copies by their place; undefined: there is no such copy. */
  readonly copies: readonly (FleetState | undefined)[];
}

/** Version as a plan has read it: reading it twice would be one more round trip. */
const versionsOfPlan = new WeakMap<Table, Promise<Versions>>();

function readVersions(table: Table): Promise<Versions> {
  const known = versionsOfPlan.get(table);
  if (known !== undefined) return known;
  const keys = Array.from({ length: fleetCopies }, (_none, slot) => rseKeys.fleetCopy(slot));
  const reading = table.getMany([rseKeys.version, ...keys]).then((items) => {
    const byPartition = new Map(items.map((item) => [item.PK, item]));
    const copies = keys
      .map(({ PK }) => byPartition.get(PK))
      .map((item) => (item === undefined ? item : readState(item)));
    return { version: toVersion(byPartition.get(rseKeys.version.PK)), copies };
  });
  versionsOfPlan.set(table, reading);
  return reading;
}

/**
 * The write that every plan which inserts or changes RSEs must contain once.
 *
 * @param options `isExact`: no other plan may raise it until this one takes effect.
 */
export async function raiseFleetVersion(table: Table, { isExact = false } = {}): Promise<Write> {
  const { version } = await readVersions(table);
  if (version === undefined) return insertFleetVersion();
  const raise = {
    kind: 'change',
    key: rseKeys.version,
    patch: { add: { version: 1 } },
    onMismatch: makeFleetRaceError,
  };
  return { ...raise, kind: 'change', ...(isExact ? { when: { version }, isExact } : {}) };
}

/** The write that begins to count the changes of RSEs. */
export function insertFleetVersion(): Insert {
  return { kind: 'insert', item: { ...rseKeys.version, version: 1 }, onExists: makeFleetRaceError };
}

const makeFleetRaceError = () => new LostRace('another request changed an RSE');

/**
 * The writes that tell all processes, by the copies, that RSEs change. Copies that differ, as after a restore that was not of one
 * moment, are made equal, and then name no changes: every process reads all RSEs once.
 */
export async function tellFleetChange(table: Table, rseIds: readonly string[]): Promise<Plan> {
  const { copies } = await readVersions(table);
  const state = mergeStates(copies);
  // The time, so that a table that was restored to an earlier state does not use a version again.
  const version = Math.max(clock.now(), (state.version ?? 0) + 1);
  const all = [...state.changes, ...rseIds.map((id) => `${version}#${id}`)];
  const named = rseIds.length > maxNamed || state.version === undefined ? [] : all.slice(-maxNamed);
  const forgotten = all[all.length - named.length - 1]?.split('#')[0];
  const since = Math.max(state.since, Number(forgotten ?? 0));
  const told = { version, since, changes: named };
  const isUncounted = true;
  return copies.map((copy, slot): Write => {
    const key = rseKeys.fleetCopy(slot);
    if (copy === undefined)
      return { kind: 'insert', item: { ...key, ...told }, onExists: makeFleetRaceError, isUncounted };
    const when = { version: copy.version };
    return { kind: 'change', key, patch: { set: told }, when, onMismatch: makeFleetRaceError, isUncounted };
  });
}

/** The content that all copies have; where they differ, that of the latest version, after which no change is known. */
function mergeStates(copies: readonly (FleetState | undefined)[]): FleetState {
  const [first, ...others] = copies.map((copy) => copy ?? noState);
  if (first === undefined || others.every(({ version }) => version === first.version)) return first ?? noState;
  const version = Math.max(...copies.map((copy) => copy?.version ?? 0));
  return { version, since: version, changes: [] };
}
