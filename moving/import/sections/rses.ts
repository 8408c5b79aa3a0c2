import { defined } from '../../../lib/defined.ts';
import { readAvailabilityMask } from '../../../lib/domain/values/availability.ts';
import { parseJson } from '../../../lib/json.ts';
import { insertQuarantined } from '../../../lib/store/entities/quarantined-replica.ts';
import { insertRseDistance } from '../../../lib/store/entities/rse-distance.ts';
import type { Priorities, Protocol } from '../../../lib/store/entities/rse-protocol.ts';
import { insertPastRseUsage, insertRseUsage, ownSource } from '../../../lib/store/entities/rse-usage.ts';
import { insertRse, type NewRse } from '../../../lib/store/entities/rse.ts';
import { insertTransferLimit } from '../../../lib/store/entities/transfer-limit.ts';
import type { Row } from '../../rucio/relations.ts';
import { makeRaceError } from '../race.ts';
import { section } from '../section.ts';
import { readValue } from './accounts.ts';

/** The sections of RSEs and of what belongs to them. The catalogue's own usage of them is counted, not copied. */
export const rseSections = [
  section({
    name: 'rses',
    drives: 'rses',
    rowsPerRange: 200,
    reads: {
      rses: ['id'],
      rse_attr_map: ['rse_id'],
      rse_protocols: ['rse_id'],
      rse_limits: ['rse_id'],
      rse_qos_map: ['rse_id'],
      rse_usage: ['rse_id'],
      distances: ['src_rse_id'],
    },
    convert: (rows, batch) => {
      const parts = {
        attributes: Map.groupBy(rows.rse_attr_map, idOf),
        protocols: Map.groupBy(rows.rse_protocols, idOf),
        limits: Map.groupBy(rows.rse_limits, idOf),
        policies: Map.groupBy(rows.rse_qos_map, idOf),
      };
      for (const row of rows.rses) {
        batch.take('rses', [row.rse], () => {
          const rse = makeRse(row, {
            attributes: parts.attributes.get(row.id) ?? [],
            protocols: parts.protocols.get(row.id) ?? [],
            limits: parts.limits.get(row.id) ?? [],
            policies: parts.policies.get(row.id) ?? [],
          });
          return insertRse(rse, makeRaceError);
        });
      }
      for (const { rse_id: rseId, source, used, free, files, updated_at: updatedAt } of rows.rse_usage) {
        if (source === ownSource) continue;
        batch.take('rse_usage', [rseId, source], () => [
          insertRseUsage(rseId, { source, used, free, files, updatedAt }),
        ]);
      }
      for (const { src_rse_id: sourceId, dest_rse_id: destinationId, ...row } of rows.distances) {
        const distance = row.distance ?? row.ranking;
        const dates = { createdAt: row.created_at, updatedAt: row.updated_at };
        batch.add(insertRseDistance({ sourceId, destinationId, distance, ...dates }, makeRaceError));
      }
    },
  }),
  section({
    name: 'rse-usage-history',
    drives: 'rse_usage_history',
    rowsPerRange: 5_000,
    reads: { rse_usage_history: ['rse_id', 'source', 'updated_at'] },
    convert: ({ rse_usage_history: past }, batch) => {
      for (const { rse_id: rseId, source, used, free, files, updated_at: at } of past) {
        batch.take('rse_usage_history', [rseId, source], () => [
          insertPastRseUsage(rseId, { source, at, used, free, files }),
        ]);
      }
    },
  }),
  section({
    name: 'quarantine',
    drives: 'quarantined_replicas',
    rowsPerRange: 5_000,
    reads: { quarantined_replicas: ['rse_id', 'path'] },
    convert: ({ quarantined_replicas: files }, batch) => {
      for (const { rse_id: rseId, path, scope, name, created_at } of files) {
        const did = scope === null || name === null ? {} : { did: { scope, name } };
        batch.take('quarantined_replicas', [rseId, path], () => [
          insertQuarantined(rseId, { path, ...did }, created_at),
        ]);
      }
    },
  }),
  section({
    name: 'transfer-limits',
    drives: 'transfer_limits',
    rowsPerRange: 500,
    reads: { transfer_limits: ['id'] },
    convert: ({ transfer_limits: limits }, batch) => {
      for (const row of limits) {
        batch.add(
          insertTransferLimit({
            id: row.id,
            rseExpression: row.rse_expression,
            activity: row.activity ?? 'all_activities',
            direction: row.direction === 'S' ? 'SOURCE' : 'DESTINATION',
            maxTransfers: row.max_transfers ?? 0,
            volume: row.volume ?? 0,
            deadline: row.deadline ?? 0,
            strategy: row.strategy ?? 'fifo',
            transfers: row.transfers,
            waitings: row.waitings,
            createdAt: row.created_at,
            updatedAt: row.updated_at,
          }),
        );
      }
    },
  }),
];

const idOf = ({ rse_id: id }: { readonly rse_id: string }) => id;

interface RseParts {
  readonly attributes: readonly Row<'rse_attr_map'>[];
  readonly protocols: readonly Row<'rse_protocols'>[];
  readonly limits: readonly Row<'rse_limits'>[];
  readonly policies: readonly Row<'rse_qos_map'>[];
}

function makeRse(row: Row<'rses'>, { attributes, protocols, limits, policies }: RseParts): NewRse {
  const { city, region_code, country_name, continent, time_zone, ISP, ASN, longitude, latitude } = row;
  return {
    id: row.id,
    rse: row.rse,
    rseType: row.rse_type,
    deterministic: row.deterministic,
    volatile: row.volatile,
    stagingArea: row.staging_area === true,
    ...availabilityOf(row),
    ...(row.qos_class === null ? {} : { qosClass: row.qos_class }),
    location: { city, region_code, country_name, continent, time_zone, ISP, ASN, longitude, latitude },
    attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)])),
    protocols: protocols.map(makeProtocol),
    limits: Object.fromEntries(limits.map(({ name, value }) => [name, value])),
    qosPolicies: policies.map(({ qos_policy: policy }) => policy),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.deleted === true ? { deletedAt: row.deleted_at ?? row.updated_at } : {}),
  };
}

function availabilityOf(row: Row<'rses'>) {
  const { availability_read: read, availability_write: write, availability_delete: remove } = row;
  if (read === null && write === null && remove === null) return readAvailabilityMask(row.availability ?? 7);
  return { availabilityRead: read !== false, availabilityWrite: write !== false, availabilityDelete: remove !== false };
}

function makeProtocol(row: Row<'rse_protocols'>): Protocol {
  return {
    scheme: row.scheme,
    hostname: row.hostname,
    port: row.port,
    impl: row.impl,
    prefix: row.prefix,
    domains: {
      lan: priorities({ read: row.read_lan, write: row.write_lan, delete: row.delete_lan }),
      wan: priorities({
        read: row.read_wan,
        write: row.write_wan,
        delete: row.delete_wan,
        third_party_copy_read: row.third_party_copy_read ?? row.third_party_copy,
        third_party_copy_write: row.third_party_copy_write ?? row.third_party_copy,
      }),
    },
    extendedAttributes: readExtended(row.extended_attributes),
  };
}

function priorities(
  given: Readonly<Record<keyof Priorities, number | null>> | Record<string, number | null>,
): Priorities {
  return defined(Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? undefined])));
}

/** Most versions store JSON there; what is none is taken as the text that it is. */
function readExtended(text: string | null): unknown {
  if (text === null) return null;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
