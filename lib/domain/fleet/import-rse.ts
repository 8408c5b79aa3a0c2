import type { ImportedRse } from '../../contract/schemas/fleet.ts';
import type { RseChange } from '../../contract/schemas/rse.ts';
import type { NewRse } from '../../store/entities/rse.ts';
import { draftRse } from '../rses/draft-rse.ts';
import { applyRseChange } from '../rses/plan-rse-change.ts';
import { syncAttributes } from './sync-attributes.ts';
import type { SyncMethods } from './sync-method.ts';
import { syncProtocols } from './sync-protocols.ts';

/** An RSE of an import. */
export interface NamedImport {
  readonly name: string;
  readonly given: ImportedRse;
}

/**
 * An RSE after an import: created, changed, or restored and changed (spec/rses.md 1.30). Pure: writes nothing.
 *
 * @param found The stored RSE of the name, live or disabled.
 * @param now In milliseconds since 1970.
 * @returns undefined when the import does not change it.
 * @throws InvalidObject (400); RSEProtocolDomainNotSupported, RSEOperationNotSupported (404); RSEProtocolPriorityError,
 *   Duplicate (409).
 */
export function importRse(
  found: NewRse | undefined,
  { name, given }: NamedImport,
  methods: SyncMethods,
  now: number,
): NewRse | undefined {
  if (found?.deletedAt !== undefined && methods.rses === 'append') return undefined;
  const rse =
    found === undefined
      ? draftRse(name, { ...given, availability: undefined }, now)
      : applyRseChange(restore(found), changeOf(given));
  const synced = syncAttributes(syncProtocols(rse, given.protocols ?? [], methods.rses), given, methods.attributes);
  return given.MinFreeSpace ? { ...synced, limits: { ...synced.limits, MinFreeSpace: given.MinFreeSpace } } : synced;
}

/** Enables a disabled RSE; a live one is returned as it is. */
function restore(rse: NewRse): NewRse {
  const { deletedAt, ...live } = rse;
  return deletedAt === undefined ? rse : { ...live, attributes: { ...live.attributes, [rse.rse]: true } };
}

/** Properties that can be set to null. For all others null means no change. */
const nullable: ReadonlySet<string> = new Set([
  'city',
  'continent',
  'country_name',
  'region_code',
  'time_zone',
  'latitude',
  'longitude',
  'qos_class',
]);

function changeOf(given: ImportedRse): RseChange {
  return Object.fromEntries(Object.entries(given).filter(([key, value]) => value !== null || nullable.has(key)));
}
