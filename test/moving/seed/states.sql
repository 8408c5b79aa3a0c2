-- What Rucio's REST interface cannot set: dates, states, tombstones, names that its schema refuses, deleted DIDs.
-- Run after the requests of catalogue.ts. The scope is mv.odd, the RSE MV-DISK-0.
\set ON_ERROR_STOP on
BEGIN;
-- Names that other schemas than the generic one allow.
INSERT INTO dids (scope, name, account, did_type, bytes, md5, adler32, is_new, availability, purge_replicas, created_at, updated_at)
  SELECT 'mv.odd', name, 'mvalice', 'F', 42, md5(name), left(md5(name), 8), NULL, 'A', true, at, at
    FROM (VALUES ('überfluß-日本語.root', '2019-02-03 04:05:06.789'::timestamp),
                 ('with space.root', '2020-02-29 23:59:59'), ('quote''s.root', '2021-01-01'), ('double"quote.root', '2021-01-02'),
                 ('back\slash.root', '2021-01-03'), ('percent%2Fencoded.root', '2021-01-04'), ('hash#tag.root', '2021-01-05'),
                 ('question?mark&amp.root', '2021-01-06'), ('colon:name.root', '2021-01-07'), ('emoji-😀.root', '2021-01-08'),
                 ('a;b,c=d+e~f.root', '2021-01-09'), ('/leading/slash.root', '2021-01-10'),
                 ('n' || repeat('0123456789', 24) || '.root_250', '2021-01-11')) AS odd (name, at)
  ON CONFLICT DO NOTHING;
INSERT INTO replicas (rse_id, scope, name, bytes, md5, adler32, state, lock_cnt, created_at, updated_at)
  SELECT r.id, d.scope, d.name, d.bytes, d.md5, d.adler32, 'A', 0, d.created_at, d.updated_at
    FROM dids d, rses r WHERE d.scope = 'mv.odd' AND d.bytes = 42 AND r.rse = 'MV-DISK-0' ON CONFLICT DO NOTHING;
INSERT INTO contents (scope, name, child_scope, child_name, did_type, child_type, bytes, adler32, md5, created_at, updated_at)
  SELECT 'mv.odd', 'odd.names', scope, name, 'D', 'F', bytes, adler32, md5, created_at, created_at
    FROM dids WHERE scope = 'mv.odd' AND bytes = 42 ON CONFLICT DO NOTHING;

-- A replica in each state, with and without a tombstone.
UPDATE replicas p SET state = s.state::"REPLICAS_STATE_CHK", tombstone = s.tombstone::timestamp, path = p.path
  FROM (VALUES ('states/file.1', 'A', NULL), ('states/file.2', 'U', NULL), ('states/file.3', 'C', NULL),
               ('states/file.4', 'B', '1970-01-01'), ('states/file.5', 'D', NULL), ('states/file.6', 'T', NULL),
               ('states/file.7', 'A', '2030-06-01 12:00:00'), ('states/file.8', 'A', '1970-01-01')) AS s (name, state, tombstone)
 WHERE p.scope = 'mv.odd' AND p.name = s.name AND p.rse_id = (SELECT id FROM rses WHERE rse = 'MV-DISK-0');

-- A rule in each state, and dates of several years.
UPDATE rules SET state = 'I'::"RULES_STATE_CHK", created_at = '2022-03-01' WHERE scope = 'mv.odd' AND name = 'rules.inject';
DELETE FROM locks WHERE rule_id IN (SELECT id FROM rules WHERE scope = 'mv.odd' AND name = 'rules.inject');
UPDATE rules SET locks_ok_cnt = 0, locks_replicating_cnt = 0, locks_stuck_cnt = 0 WHERE scope = 'mv.odd' AND name = 'rules.inject';
UPDATE locks SET state = 'S' WHERE state = 'R' AND rule_id IN (SELECT id FROM rules WHERE scope = 'mv.odd' AND name = 'rules.stuck');
UPDATE rules SET state = 'S'::"RULES_STATE_CHK", error = 'MissingSourceReplica', stuck_at = '2023-04-05 06:07:08',
                 created_at = '2023-01-01', locks_replicating_cnt = 0,
                 locks_stuck_cnt = (SELECT count(*) FROM locks WHERE rule_id = rules.id)
 WHERE scope = 'mv.odd' AND name = 'rules.stuck';
UPDATE rules SET state = 'U'::"RULES_STATE_CHK", error = 'suspended by hand', created_at = '2024-01-01'
 WHERE scope = 'mv.odd' AND name = 'rules.suspended';
UPDATE rules SET created_at = '2021-07-08 09:10:11' WHERE scope = 'mv.odd' AND name = 'rules.ok';
UPDATE rules parent SET child_rule_id = child.id FROM rules child
 WHERE parent.scope = 'mv.odd' AND parent.name = 'rules.ok' AND child.scope = 'mv.odd' AND child.name = 'rules.ok'
   AND parent.rse_expression = 'MV-DISK-0' AND child.rse_expression = 'MV-DISK-1';

-- Dates and flags of DIDs.
UPDATE dids SET created_at = '2018-05-06 07:08:09', updated_at = '2019-05-06 07:08:09', accessed_at = '2020-05-06 07:08:09',
                access_cnt = 17, eol_at = '2031-01-01', is_new = NULL WHERE scope = 'mv.odd' AND name = 'dated.dataset';
UPDATE dids SET availability = 'L', suppressed = true WHERE scope = 'mv.odd' AND name = 'states/file.5';

-- Deleted DIDs that can be resurrected.
INSERT INTO deleted_dids (scope, name, account, did_type, is_open, availability, bytes, md5, adler32, created_at, updated_at, deleted_at)
  VALUES ('mv.odd', 'deleted.dataset', 'mvalice', 'D', true, 'A', NULL, NULL, NULL, '2020-01-01', '2020-01-02', '2020-06-01'),
         ('mv.odd', 'deleted.file', 'mvbob', 'F', NULL, 'A', 7, md5('x'), '0cc737eb', '2020-01-01', '2020-01-02', '2020-06-01')
  ON CONFLICT DO NOTHING;

-- Past content, and past usage.
INSERT INTO contents_history (scope, name, child_scope, child_name, did_type, child_type, bytes, created_at, updated_at, deleted_at)
  SELECT 'mv.odd', 'dated.dataset', 'mv.odd', 'states/file.1', 'D', 'F', 10, '2019-01-01', '2019-01-01', '2019-09-01'
   WHERE NOT EXISTS (SELECT 1 FROM contents_history WHERE scope = 'mv.odd' AND name = 'dated.dataset' AND created_at = '2019-01-01');
INSERT INTO rse_usage_history (rse_id, source, used, free, files, created_at, updated_at)
  SELECT id, 'storage', n * 1000000000::bigint, 1, n, make_timestamp(2018 + n, 1, 1, 0, 0, 0), make_timestamp(2018 + n, 1, 1, 0, 0, 0)
    FROM rses, generate_series(1, 6) n WHERE rse = 'MV-DISK-0' ON CONFLICT DO NOTHING;
INSERT INTO account_usage_history (account, rse_id, files, bytes, created_at, updated_at)
  SELECT 'mvalice', id, n, n * 1000000::bigint, make_timestamp(2018 + n, 1, 1, 0, 0, 0), make_timestamp(2018 + n, 1, 1, 0, 0, 0)
    FROM rses, generate_series(1, 6) n WHERE rse = 'MV-DISK-0' ON CONFLICT DO NOTHING;

-- Lifetime exceptions in each state.
INSERT INTO lifetime_except (id, scope, name, did_type, account, pattern, comments, state, expires_at, created_at, updated_at)
  SELECT md5('mvexcept' || name)::uuid, 'mv.odd', name, 'D', 'mvalice', NULL, 'keep ' || name, state::"LIFETIME_EXCEPT_STATE_CHK",
         '2031-01-01', '2024-01-01', '2024-01-02'
    FROM (VALUES ('dated.dataset', 'A'), ('rules.ok', 'R'), ('rules.stuck', 'W')) AS e (name, state) ON CONFLICT DO NOTHING;
-- Suspicions, and what was bad once.
INSERT INTO bad_replicas (scope, name, rse_id, reason, state, account, bytes, created_at, updated_at)
  SELECT 'mv.odd', 'states/file.1', id, reason, state::"BAD_REPLICAS_STATE_CHK", 'mvalice', 10, at::timestamp, at::timestamp
    FROM rses, (VALUES ('checksum', 'S', '2022-01-01'), ('time-out', 'S', '2022-01-02'), ('was lost', 'R', '2021-01-01')) AS b (reason, state, at)
   WHERE rse = 'MV-DISK-0' ON CONFLICT DO NOTHING;
INSERT INTO dids_followed (scope, name, account, did_type, created_at, updated_at)
  VALUES ('mv.odd', 'dated.dataset', 'mvbob', 'D', '2021-01-01', '2021-01-01') ON CONFLICT DO NOTHING;
COMMIT;
