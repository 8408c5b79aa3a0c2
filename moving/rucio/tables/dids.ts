import { flag, id, integer, json, number, relation, text, time } from '../columns.ts';

const dates = { created_at: time, updated_at: time };
const name = { scope: text, name: text };
const child = { ...name, child_scope: text, child_name: text };
const copied = { bytes: integer, adler32: text, md5: text, guid: id, events: integer };

/** The columns that `dids` and `deleted_dids` have in common. */
const did = {
  required: { ...name, account: text, did_type: text, ...dates },
  optional: {
    is_open: flag,
    monotonic: flag,
    hidden: flag,
    obsolete: flag,
    is_new: flag,
    availability: text,
    suppressed: flag,
    bytes: integer,
    length: integer,
    md5: text,
    adler32: text,
    expired_at: time,
    purge_replicas: flag,
    deleted_at: time,
    events: integer,
    guid: id,
    project: text,
    datatype: text,
    run_number: number,
    stream_name: text,
    prod_step: text,
    version: text,
    campaign: text,
    task_id: number,
    panda_id: number,
    lumiblocknr: number,
    provenance: text,
    phys_group: text,
    transient: flag,
    accessed_at: time,
    closed_at: time,
    eol_at: time,
    is_archive: flag,
    constituent: flag,
    access_cnt: number,
  },
} as const;

/** Names that Dapple takes (lib/contract/schemas/did.ts), as a condition: other children are not attached. */
const isTaken = (prefix: string) =>
  `${prefix}scope ~ '^[a-zA-Z_.0-9-]{1,25}$' AND ${prefix}name ~ '^[/A-Za-z0-9][/A-Za-z0-9._-]*$' AND ` +
  `length(${prefix}name) <= 250`;

/** The files and bytes below a child: of a dataset what is in it, of a container what Rucio says. */
const sizeOfChild = (ofFile: string, ofDataset: string, ofContainer: string) => `CASE c.child_type
    WHEN 'F' THEN ${ofFile}
    WHEN 'D' THEN (SELECT ${ofDataset} FROM contents f WHERE f.scope = c.child_scope AND f.name = c.child_name
      AND ${isTaken('f.child_')})
    ELSE (SELECT d.${ofContainer} FROM dids d WHERE d.scope = c.child_scope AND d.name = c.child_name) END`;

const lengthBelow = sizeOfChild('1', 'count(*)', 'length');
const bytesBelow = sizeOfChild('c.bytes', 'sum(f.bytes)', 'bytes');

/** DIDs, their content and their replicas in Rucio's database. */
export const didRelations = {
  dids: relation({ tables: ['dids'], ...did }),
  deleted_dids: relation({ tables: ['deleted_dids'], ...did }),
  did_meta: relation({ tables: ['did_meta'], required: name, optional: { meta: json } }),
  dids_followed: relation({
    tables: ['dids_followed'],
    required: { ...name, account: text, created_at: time },
    optional: {},
  }),
  contents: relation({
    tables: ['contents', 'dids'],
    required: { ...child, child_type: text, created_at: time },
    optional: { ...copied, length: integer },
    statement: (within) => `SELECT c.scope, c.name, c.child_scope, c.child_name, c.child_type, c.created_at,
      ${bytesBelow} AS bytes, c.adler32, c.md5, c.guid, c.events,
      CASE WHEN c.child_type <> 'F' THEN ${lengthBelow} END AS length
      FROM contents c WHERE ${within}`,
  }),
  content_sums: relation({
    tables: ['contents', 'dids'],
    required: { ...name, length: integer },
    optional: { bytes: integer, events: integer },
    statement: (within) => `SELECT s.scope, s.name, coalesce(sum(s.length), 0) AS length, sum(s.bytes) AS bytes,
      sum(s.events) AS events FROM (SELECT c.scope, c.name, ${lengthBelow} AS length, ${bytesBelow} AS bytes, c.events
      FROM contents c WHERE ${within} AND ${isTaken('c.child_')}) s GROUP BY s.scope, s.name`,
  }),
  contents_history: relation({
    tables: ['contents_history'],
    required: { ...child, child_type: text, ...dates },
    optional: { ...copied, deleted_at: time },
  }),
  archive_contents: relation({
    tables: ['archive_contents'],
    required: { ...child, created_at: time },
    optional: { bytes: integer, adler32: text, md5: text, guid: id },
  }),
  replicas: relation({
    tables: ['replicas'],
    required: { ...name, rse_id: id, state: text, ...dates },
    optional: { bytes: integer, md5: text, adler32: text, path: text, tombstone: time },
  }),
  bad_replicas: relation({
    tables: ['bad_replicas'],
    // The time once more as it is printed, with its microseconds: it is part of the key.
    required: { ...name, rse_id: id, state: text, account: text, ...dates, precise_at: text },
    optional: { reason: text, bytes: integer, expires_at: time },
    statement: (within) => `SELECT t.*, t.created_at::text AS precise_at FROM bad_replicas t WHERE ${within}`,
  }),
  requests: relation({
    tables: ['requests'],
    required: { id, dest_rse_id: id, request_type: text },
    optional: { ...name, rule_id: id, created_at: time },
  }),
  lifetime_except: relation({
    tables: ['lifetime_except'],
    required: { id, ...name, did_type: text, account: text, state: text, created_at: time },
    optional: { pattern: text, comments: text, expires_at: time },
  }),
} as const;
