import { isDeepStrictEqual } from 'node:util';

import type { RseChange } from '../../contract/schemas/rse.ts';
import { defined } from '../../defined.ts';
import { fail } from '../../errors.ts';
import { protocolAttribute, putProtocols, removeProtocols } from '../../store/entities/rse-protocol.ts';
import { changeRse, moveRseName, patchMembers, type NewRse, type Rse } from '../../store/entities/rse.ts';
import type { Patch } from '../../store/items/item.ts';
import type { Plan } from '../../store/items/plan.ts';
import { readAvailabilityMask } from '../values/availability.ts';
import { toRseAttribute } from './attribute-value.ts';
import { nameInUseError } from './name-in-use.ts';

/**
 * An RSE with changed properties. Location properties and the name are also attributes; flags override the mask
 * (spec/rses.md 1.4). Pure: writes nothing.
 */
export function applyRseChange<R extends NewRse>(rse: R, change: RseChange): R {
  const { city, continent, country_name, region_code, time_zone, latitude, longitude } = change;
  const places = defined({ city, continent, country_name, region_code, time_zone });
  const { name = rse.rse } = change;
  const { [rse.rse]: implicit, ...attributes } = rse.attributes;
  const named = name === rse.rse ? defined({ [name]: implicit }) : { [name]: true };
  return {
    ...rse,
    ...(change.availability === undefined ? {} : readAvailabilityMask(change.availability)),
    ...defined({
      rse: change.name,
      rseType: change.rse_type,
      deterministic: change.deterministic,
      volatile: change.volatile,
      stagingArea: change.staging_area,
      availabilityRead: change.availability_read,
      availabilityWrite: change.availability_write,
      availabilityDelete: change.availability_delete,
      qosClass: isNone(change.qos_class) ? null : change.qos_class,
    }),
    location: { ...rse.location, ...places, ...defined({ latitude, longitude }) },
    attributes: {
      ...attributes,
      ...named,
      ...Object.fromEntries(Object.entries(places).map(([key, value]) => [key, toRseAttribute(key, value)])),
    },
  };
}

const isNone = (qosClass: string | null | undefined) => /^(none|null)$/i.test(qosClass ?? '');

/** The most members of an item that fit into the 4 KB of a write's expression. */
const maxChangesPerWrite = 250;

/**
 * The writes that change an RSE; none without a difference. The plan must also call `raiseFleetVersion`.
 *
 * @param before As it was read.
 * @param now In milliseconds since 1970. Becomes `updatedAt` when settings change, not when only members do
 *   (spec/rses.md 2.6).
 * @throws InvalidObject (400) for too many changes at once; Duplicate (409), at the write, for a name in use.
 */
export function planRseChange(before: Rse, after: NewRse, now: number): Plan {
  const settings = settingsPatch(before, after);
  const patch = join(
    settings,
    patchMembers('attribute', differences(before.attributes, after.attributes)),
    patchMembers('limit', differences(before.limits, after.limits)),
    protocolsPatch(before, after),
  );
  const changes = size(patch);
  if (changes === 0) return [];
  if (changes > maxChangesPerWrite) {
    fail(
      'InvalidObject',
      `More than ${maxChangesPerWrite} attributes and protocols of RSE ${before.rse} change at once.`,
    );
  }
  const write = changeRse(before, size(settings) === 0 ? patch : join(patch, { set: { updatedAt: now } }));
  if (before.rse === after.rse) return [write];
  return [write, ...moveRseName(before, after.rse, () => nameInUseError(after.rse))];
}

/** The settings that {@link applyRseChange} and disabling change; without members. */
const settingNames = [
  'rse',
  'rseType',
  'deterministic',
  'volatile',
  'stagingArea',
  'availabilityRead',
  'availabilityWrite',
  'availabilityDelete',
  'qosClass',
  'deletedAt',
] as const satisfies (keyof NewRse)[];

function settingsPatch(before: Rse, after: NewRse): Patch {
  const changed = settingNames.filter((name) => (before[name] ?? null) !== (after[name] ?? null));
  const [set, remove] = [
    changed.filter((name) => after[name] !== undefined),
    changed.filter((name) => after[name] === undefined),
  ];
  const moved = Object.entries(after.location).some(([key, value]) => (before.location[key] ?? null) !== value);
  return {
    set: {
      ...Object.fromEntries(set.map((name) => [name, after[name]])),
      ...(moved ? { location: after.location } : {}),
    },
    remove,
  };
}

/** The members that differ, with their new value; undefined: removed. */
function differences<T>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
): [string, T | undefined][] {
  const [present, wanted] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...present.keys(), ...wanted.keys()])];
  return names
    .filter((name) => present.has(name) !== wanted.has(name) || present.get(name) !== wanted.get(name))
    .map((name) => [name, wanted.get(name)]);
}

function protocolsPatch(before: Rse, after: NewRse): Patch {
  const present = new Map(before.protocols.map((protocol) => [protocolAttribute(protocol), protocol]));
  const wanted = new Set(after.protocols.map(protocolAttribute));
  return join(
    putProtocols(
      after.protocols.filter((protocol) => !isDeepStrictEqual(present.get(protocolAttribute(protocol)), protocol)),
    ),
    removeProtocols(before.protocols.filter((protocol) => !wanted.has(protocolAttribute(protocol)))),
  );
}

function join(...patches: readonly Patch[]): Patch {
  return {
    set: Object.assign({}, ...patches.map(({ set }) => set)) as Record<string, unknown>,
    remove: patches.flatMap(({ remove = [] }) => remove),
  };
}

const size = ({ set = {}, remove = [] }: Patch) => Object.keys(set).length + remove.length;
