-- A mass of files straight into the PostgreSQL of a Rucio: datasets of 1,000 files, containers of 20 datasets, two replicas of
-- each file, a rule with locks on each dataset. Variables: files, prefix (of the scopes), first (the number before the first
-- file). The RSEs MV-DISK-0 to MV-DISK-3 and the accounts mvalice, mvbob must exist.
\set ON_ERROR_STOP on
BEGIN;
SET LOCAL synchronous_commit = off;

CREATE TEMP TABLE mv_rses AS
  SELECT id, right(rse, 1)::int AS n FROM rses WHERE rse ~ '^MV-DISK-[0-3]$' AND NOT deleted;

CREATE TEMP TABLE mv_files AS
  SELECT i,
         (i - 1) / 1000 AS d,
         :'prefix' || '.' || (2018 + ((i - 1) / 1000) % 7) AS scope,
         'file.' || lpad(i::text, 9, '0') AS name,
         CASE WHEN (i / 1000) % 2 = 0 THEN 'mvalice' ELSE 'mvbob' END AS account,
         1000000 + (i * 7919) % 4000000000 AS bytes,
         md5('mv' || i) AS digest,
         -- Seven years, one for each scope.
         make_timestamp(2018 + (((i - 1) / 1000) % 7)::int, 1, 1, 0, 0, 0) + ((i * 211) % 31000000) * interval '1 second' AS at,
         ((i - 1) / 1000) % 4 AS home,
         ((i - 1) / 1000 + 1) % 4 AS copy,
         -- Of ten datasets: six rules OK, then replicating, stuck, suspended, waiting for approval.
         ((i - 1) / 1000) % 10 AS kind
    FROM generate_series(:first::bigint + 1, :first::bigint + :files::bigint) AS i;

CREATE TEMP TABLE mv_sets AS
  SELECT d, scope, min(account) AS account, 'dataset.' || lpad(d::text, 6, '0') AS name, count(*) AS length, sum(bytes) AS bytes,
         min(at) AS at, min(home) AS home, min(copy) AS copy, min(kind) AS kind, md5('mvrule' || d)::uuid AS rule
    FROM mv_files GROUP BY d, scope;

INSERT INTO scopes (scope, account, is_default, status, created_at, updated_at)
  SELECT :'prefix' || '.' || year, 'mvalice', false, 'O'::"SCOPE_STATUS_CHK", '2018-01-01'::timestamp, '2018-01-01'::timestamp
    FROM generate_series(2018, 2024) AS year
  ON CONFLICT DO NOTHING;

INSERT INTO dids (scope, name, account, did_type, bytes, md5, adler32, guid, is_open, is_new, availability, purge_replicas,
                  project, datatype, run_number, events, created_at, updated_at, accessed_at)
  SELECT scope, name, account, 'F', bytes, digest, left(digest, 8), digest::uuid, NULL, NULL, 'A', true,
         'mv18', 'RAW', (d % 100000)::int, i % 5000, at, at + interval '1 hour',
         CASE WHEN i % 3 = 0 THEN at + interval '30 days' END
    FROM mv_files;

INSERT INTO dids (scope, name, account, did_type, bytes, length, is_open, is_new, availability, purge_replicas,
                  project, datatype, run_number, closed_at, created_at, updated_at)
  SELECT scope, name, account, 'D', CASE WHEN d % 2 = 1 THEN bytes END, CASE WHEN d % 2 = 1 THEN length END, d % 2 = 0, NULL, 'A', true,
         'mv18', 'RAW', (d % 100000)::int, CASE WHEN d % 2 = 1 THEN at + interval '1 day' END, at, at + interval '1 day'
    FROM mv_sets;

INSERT INTO dids (scope, name, account, did_type, is_open, is_new, availability, purge_replicas, created_at, updated_at)
  SELECT :'prefix' || '.2018', 'container.' || lpad((d / 20)::text, 5, '0'), 'mvalice', 'C', true, NULL, 'A', true, min(at), min(at)
    FROM mv_sets GROUP BY d / 20 ON CONFLICT DO NOTHING;

INSERT INTO contents (scope, name, child_scope, child_name, did_type, child_type, bytes, adler32, md5, guid, events, rule_evaluation,
                      created_at, updated_at)
  SELECT f.scope, s.name, f.scope, f.name, 'D', 'F', f.bytes, left(digest, 8), digest, digest::uuid, i % 5000, NULL, f.at, f.at
    FROM mv_files f JOIN mv_sets s USING (d);
INSERT INTO contents (scope, name, child_scope, child_name, did_type, child_type, rule_evaluation, created_at, updated_at)
  SELECT :'prefix' || '.2018', 'container.' || lpad((d / 20)::text, 5, '0'), scope, name, 'C', 'D', NULL, at, at FROM mv_sets;

-- The home replica is always there. The copy is on its way for kind 6, missing for kinds 7 and 8, and unlocked for 9.
INSERT INTO replicas (rse_id, scope, name, bytes, md5, adler32, state, lock_cnt, tombstone, created_at, updated_at, accessed_at)
  SELECT r.id, scope, name, bytes, digest, left(digest, 8), 'A', CASE WHEN kind < 9 THEN 1 ELSE 0 END,
         CASE WHEN kind = 9 THEN at + interval '10 years' END, at, at + interval '1 hour', at + interval '2 hours'
    FROM mv_files JOIN mv_rses r ON r.n = home;
INSERT INTO replicas (rse_id, scope, name, bytes, md5, adler32, state, lock_cnt, tombstone, created_at, updated_at)
  SELECT r.id, scope, name, bytes, digest, left(digest, 8),
         (CASE WHEN kind = 6 AND i % 3 = 0 THEN 'C' WHEN kind IN (7, 8) AND i % 4 = 0 THEN 'U' ELSE 'A' END)::"REPLICAS_STATE_CHK",
         CASE WHEN kind < 9 THEN 1 ELSE 0 END, CASE WHEN kind = 9 THEN '1970-01-01'::timestamp END, at, at + interval '1 hour'
    FROM mv_files JOIN mv_rses r ON r.n = copy;

CREATE TEMP TABLE mv_locks AS
  SELECT f.scope, f.name, s.rule, r.id AS rse, s.account, f.bytes, f.at,
         CASE WHEN r.n = f.home THEN 'O' WHEN f.kind = 6 AND i % 3 = 0 THEN 'R' WHEN f.kind IN (7, 8) AND i % 4 = 0 THEN 'S' ELSE 'O' END
           AS state
    FROM mv_files f JOIN mv_sets s USING (d) JOIN mv_rses r ON r.n IN (f.home, f.copy) WHERE f.kind < 9;

INSERT INTO rules (id, account, scope, name, did_type, state, error, rse_expression, copies, expires_at, locked, locks_ok_cnt,
                   locks_replicating_cnt, locks_stuck_cnt, activity, grouping, notification, stuck_at, purge_replicas,
                   ignore_availability, ignore_account_limit, priority, comments, split_container, created_at, updated_at)
  SELECT s.rule, s.account, s.scope, s.name, 'D',
         (CASE s.kind WHEN 6 THEN 'R' WHEN 7 THEN 'S' WHEN 8 THEN 'U' WHEN 9 THEN 'W' ELSE 'O' END)::"RULES_STATE_CHK",
         CASE WHEN s.kind = 7 THEN 'MissingSourceReplica' END, 'MV-DISK-' || s.home || '|MV-DISK-' || s.copy, 2,
         CASE WHEN d % 7 = 0 THEN '2099-01-01'::timestamp END, d % 11 = 0,
         coalesce(l.ok, 0), coalesce(l.replicating, 0), coalesce(l.stuck, 0), 'User Subscriptions', 'D', 'N',
         CASE WHEN s.kind IN (7, 8) THEN s.at + interval '3 days' END, false, false, false, 3,
         CASE WHEN d % 5 = 0 THEN 'rule of dataset ' || d END, false, s.at, s.at + interval '2 days'
    FROM mv_sets s
    LEFT JOIN (SELECT rule, count(*) FILTER (WHERE state = 'O') AS ok, count(*) FILTER (WHERE state = 'R') AS replicating,
                      count(*) FILTER (WHERE state = 'S') AS stuck FROM mv_locks GROUP BY rule) l USING (rule);

INSERT INTO locks (scope, name, rule_id, rse_id, account, bytes, state, created_at, updated_at)
  SELECT scope, name, rule, rse, account, bytes, state::"LOCKS_STATE_CHK", at, at FROM mv_locks;
INSERT INTO dataset_locks (scope, name, rule_id, rse_id, account, state, length, bytes, created_at, updated_at)
  SELECT s.scope, s.name, s.rule, r.id, s.account,
         (CASE WHEN r.n = s.home THEN 'O' WHEN s.kind = 6 THEN 'R' WHEN s.kind IN (7, 8) THEN 'S' ELSE 'O' END)
           ::"DATASET_LOCKS_STATE_CHK", s.length, s.bytes, s.at, s.at
    FROM mv_sets s JOIN mv_rses r ON r.n IN (s.home, s.copy) WHERE s.kind < 9;
INSERT INTO collection_replicas (scope, name, did_type, rse_id, bytes, length, available_bytes, available_replicas_cnt, state,
                                 created_at, updated_at)
  SELECT s.scope, s.name, 'D', rse_id, s.bytes, s.length, sum(p.bytes) FILTER (WHERE p.state = 'A'),
         count(*) FILTER (WHERE p.state = 'A'),
         (CASE WHEN bool_and(p.state = 'A') THEN 'A' ELSE 'U' END)::"COLLECTION_REPLICAS_STATE_CHK", s.at, s.at
    FROM mv_sets s JOIN mv_files f USING (d) JOIN replicas p ON p.scope = f.scope AND p.name = f.name
   GROUP BY s.scope, s.name, rse_id, s.bytes, s.length, s.at;

-- What the counting daemons (abacus) would have summed up; nothing is left for them to do.
DELETE FROM updated_account_counters;
DELETE FROM account_usage;
INSERT INTO account_usage (account, rse_id, files, bytes, created_at, updated_at)
  SELECT account, rse_id, count(*), sum(bytes), now(), now() FROM locks GROUP BY account, rse_id;
DELETE FROM updated_rse_counters;
DELETE FROM rse_usage WHERE source = 'rucio';
INSERT INTO rse_usage (rse_id, source, used, free, files, created_at, updated_at)
  SELECT rses.id, 'rucio', coalesce(sum(p.bytes), 0), NULL, count(p.name), now(), now()
    FROM rses LEFT JOIN replicas p ON p.rse_id = rses.id WHERE NOT rses.deleted GROUP BY rses.id;
COMMIT;
ANALYZE;
