import { flag, id, integer, number, relation, text, time } from '../columns.ts';

const dates = { created_at: time, updated_at: time };
const numbers = { used: integer, free: integer, files: integer };

/** RSEs in Rucio's database. */
export const rseRelations = {
  rses: relation({
    tables: ['rses'],
    required: {
      id,
      rse: text,
      rse_type: text,
      deterministic: flag,
      volatile: flag,
      ...dates,
    },
    optional: {
      staging_area: flag,
      city: text,
      region_code: text,
      country_name: text,
      continent: text,
      time_zone: text,
      ISP: text,
      ASN: text,
      longitude: number,
      latitude: number,
      // Of versions before 1.30: bits for read, write, delete.
      availability: number,
      availability_read: flag,
      availability_write: flag,
      availability_delete: flag,
      qos_class: text,
      deleted: flag,
      deleted_at: time,
    },
  }),
  rse_attr_map: relation({
    tables: ['rse_attr_map'],
    required: { rse_id: id, key: text },
    optional: { value: text },
  }),
  rse_protocols: relation({
    tables: ['rse_protocols'],
    required: { rse_id: id, scheme: text, hostname: text, port: number, impl: text },
    optional: {
      prefix: text,
      read_lan: number,
      write_lan: number,
      delete_lan: number,
      read_wan: number,
      write_wan: number,
      delete_wan: number,
      // Of older versions: for both directions.
      third_party_copy: number,
      third_party_copy_read: number,
      third_party_copy_write: number,
      extended_attributes: text,
    },
  }),
  rse_limits: relation({
    tables: ['rse_limits'],
    required: { rse_id: id, name: text, value: integer },
    optional: {},
  }),
  rse_qos_map: relation({ tables: ['rse_qos_map'], required: { rse_id: id, qos_policy: text }, optional: {} }),
  rse_usage: relation({
    tables: ['rse_usage'],
    required: { rse_id: id, source: text, updated_at: time },
    optional: numbers,
  }),
  rse_usage_history: relation({
    tables: ['rse_usage_history'],
    required: { rse_id: id, source: text, updated_at: time },
    optional: numbers,
  }),
  distances: relation({
    tables: ['distances'],
    required: { src_rse_id: id, dest_rse_id: id, ...dates },
    // `ranking` until 1.29.
    optional: { distance: number, ranking: number },
  }),
  quarantined_replicas: relation({
    tables: ['quarantined_replicas'],
    required: { rse_id: id, path: text, created_at: time },
    optional: { scope: text, name: text },
  }),
  transfer_limits: relation({
    tables: ['transfer_limits'],
    required: { id, rse_expression: text, ...dates },
    optional: {
      activity: text,
      direction: text,
      max_transfers: integer,
      volume: integer,
      deadline: integer,
      strategy: text,
      transfers: integer,
      waitings: integer,
    },
  }),
} as const;
