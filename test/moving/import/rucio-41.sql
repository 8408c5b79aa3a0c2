-- The tables of a Rucio 41 database that an import reads, as SQLAlchemy makes them in PostgreSQL; enumerations as text.
CREATE TABLE account_attr_map (account varchar(25) NOT NULL, key varchar(255) NOT NULL, value varchar(255),
created_at timestamp, updated_at timestamp, PRIMARY KEY (account, key));
CREATE TABLE account_glob_limits (account varchar(25) NOT NULL, rse_expression varchar(3000) NOT NULL, bytes bigint,
created_at timestamp, updated_at timestamp, PRIMARY KEY (account, rse_expression));
CREATE TABLE account_limits (account varchar(25) NOT NULL, rse_id uuid NOT NULL, bytes bigint, created_at timestamp,
updated_at timestamp, PRIMARY KEY (account, rse_id));
CREATE TABLE account_map (identity varchar(2048) NOT NULL, identity_type text NOT NULL, account varchar(25) NOT NULL,
is_default boolean NOT NULL, created_at timestamp, updated_at timestamp, PRIMARY KEY (identity, identity_type,
account));
CREATE TABLE account_usage (account varchar(25) NOT NULL, rse_id uuid NOT NULL, files bigint NOT NULL, bytes bigint NOT NULL,
created_at timestamp, updated_at timestamp, PRIMARY KEY (account, rse_id));
CREATE TABLE account_usage_history (account varchar(25) NOT NULL, rse_id uuid NOT NULL, files bigint NOT NULL, bytes
bigint NOT NULL, created_at timestamp, updated_at timestamp NOT NULL, PRIMARY KEY (account, rse_id, updated_at));
CREATE TABLE accounts (account varchar(25) NOT NULL, account_type text NOT NULL, status text NOT NULL, email
varchar(255), suspended_at timestamp, deleted_at timestamp, created_at timestamp, updated_at timestamp, PRIMARY KEY
(account));
CREATE TABLE archive_contents (child_scope varchar(25) NOT NULL, child_name varchar(250) NOT NULL, scope varchar(25)
NOT NULL, name varchar(250) NOT NULL, bytes bigint, adler32 varchar(8), md5 varchar(32), guid uuid, length bigint,
created_at timestamp, updated_at timestamp, PRIMARY KEY (child_scope, child_name, scope, name));
CREATE TABLE bad_replicas (scope varchar(25) NOT NULL, name varchar(250) NOT NULL, rse_id uuid NOT NULL, reason
varchar(255), state text NOT NULL, account varchar(25) NOT NULL, bytes bigint, expires_at timestamp, created_at
timestamp NOT NULL, updated_at timestamp, PRIMARY KEY (scope, name, rse_id, state, created_at));
CREATE TABLE configs (section varchar(128) NOT NULL, opt varchar(128) NOT NULL, value varchar(4000), created_at
timestamp, updated_at timestamp, PRIMARY KEY (section, opt));
CREATE TABLE contents (scope varchar(25) NOT NULL, name varchar(250) NOT NULL, child_scope varchar(25) NOT NULL,
child_name varchar(250) NOT NULL, did_type text NOT NULL, child_type text NOT NULL, bytes bigint, adler32 varchar(8),
md5 varchar(32), guid uuid, events bigint, rule_evaluation boolean, created_at timestamp, updated_at timestamp,
PRIMARY KEY (scope, name, child_scope, child_name));
CREATE TABLE contents_history (scope varchar(25) NOT NULL, name varchar(250) NOT NULL, child_scope varchar(25) NOT
NULL, child_name varchar(250) NOT NULL, did_type text NOT NULL, child_type text NOT NULL, bytes bigint, adler32
varchar(8), md5 varchar(32), guid uuid, events bigint, rule_evaluation boolean, did_created_at timestamp, deleted_at
timestamp, created_at timestamp, updated_at timestamp);
CREATE TABLE dataset_locks (scope varchar(25) NOT NULL, name varchar(250) NOT NULL, rule_id uuid NOT NULL, rse_id
uuid NOT NULL, account varchar(25) NOT NULL, state text NOT NULL, length bigint, bytes bigint, accessed_at timestamp,
created_at timestamp, updated_at timestamp, PRIMARY KEY (scope, name, rule_id, rse_id));
CREATE TABLE deleted_dids (scope varchar(25) NOT NULL, name varchar(250) NOT NULL, account varchar(25) NOT NULL,
did_type text NOT NULL, is_open boolean, monotonic boolean NOT NULL, hidden boolean NOT NULL, obsolete boolean NOT
NULL, complete boolean, is_new boolean, availability text NOT NULL, suppressed boolean NOT NULL, bytes bigint, length
bigint, md5 varchar(32), adler32 varchar(8), expired_at timestamp, deleted_at timestamp, events bigint, guid uuid,
project varchar(50), datatype varchar(50), run_number integer, stream_name varchar(70), prod_step varchar(50),
version varchar(50), campaign varchar(50), task_id integer, panda_id integer, lumiblocknr integer, provenance
varchar(2), phys_group varchar(25), transient boolean NOT NULL, purge_replicas boolean, accessed_at timestamp,
closed_at timestamp, eol_at timestamp, is_archive boolean, constituent boolean, access_cnt integer, created_at
timestamp, updated_at timestamp, PRIMARY KEY (scope, name));
CREATE TABLE did_key_map (key varchar(255) NOT NULL, value varchar(255) NOT NULL, created_at timestamp, updated_at
timestamp, PRIMARY KEY (key, value));
CREATE TABLE did_keys (key varchar(255) NOT NULL, is_enum boolean NOT NULL, key_type text NOT NULL, value_type
varchar(255), value_regexp varchar(255), created_at timestamp, updated_at timestamp, PRIMARY KEY (key));
CREATE TABLE did_meta (scope varchar(25) NOT NULL, name varchar(250) NOT NULL, meta jsonb, did_type text, created_at
timestamp, updated_at timestamp, PRIMARY KEY (scope, name));
CREATE TABLE dids (scope varchar(25) NOT NULL, name varchar(250) NOT NULL, account varchar(25) NOT NULL, did_type
text NOT NULL, is_open boolean, monotonic boolean NOT NULL, hidden boolean NOT NULL, obsolete boolean NOT NULL,
complete boolean, is_new boolean, availability text NOT NULL, suppressed boolean NOT NULL, bytes bigint, length
bigint, md5 varchar(32), adler32 varchar(8), expired_at timestamp, purge_replicas boolean NOT NULL, deleted_at
timestamp, events bigint, guid uuid, project varchar(50), datatype varchar(50), run_number integer, stream_name
varchar(70), prod_step varchar(50), version varchar(50), campaign varchar(50), task_id integer, panda_id integer,
lumiblocknr integer, provenance varchar(2), phys_group varchar(25), transient boolean NOT NULL, accessed_at
timestamp, closed_at timestamp, eol_at timestamp, is_archive boolean, constituent boolean, access_cnt integer,
created_at timestamp, updated_at timestamp, PRIMARY KEY (scope, name));
CREATE TABLE dids_followed (scope varchar(25) NOT NULL, name varchar(250) NOT NULL, account varchar(25) NOT NULL,
did_type text NOT NULL, created_at timestamp, updated_at timestamp, PRIMARY KEY (scope, name, account));
CREATE TABLE distances (src_rse_id uuid NOT NULL, dest_rse_id uuid NOT NULL, distance integer, created_at timestamp,
updated_at timestamp, PRIMARY KEY (src_rse_id, dest_rse_id));
CREATE TABLE identities (identity varchar(2048) NOT NULL, identity_type text NOT NULL, username varchar(255),
password varchar(255), salt bytea, email varchar(255) NOT NULL, deleted boolean, deleted_at timestamp, created_at
timestamp, updated_at timestamp, PRIMARY KEY (identity, identity_type));
CREATE TABLE lifetime_except (id uuid NOT NULL, scope varchar(25) NOT NULL, name varchar(250) NOT NULL, did_type text
NOT NULL, account varchar(25) NOT NULL, pattern varchar(255), comments varchar(4000), state text NOT NULL, expires_at
timestamp, created_at timestamp, updated_at timestamp, PRIMARY KEY (id, scope, name, did_type, account));
CREATE TABLE locks (scope varchar(25) NOT NULL, name varchar(250) NOT NULL, rule_id uuid NOT NULL, rse_id uuid NOT
NULL, account varchar(25) NOT NULL, bytes bigint, state text NOT NULL, repair_cnt bigint, created_at timestamp,
updated_at timestamp, PRIMARY KEY (scope, name, rule_id, rse_id));
CREATE TABLE quarantined_replicas (rse_id uuid NOT NULL, path varchar(1024) NOT NULL, bytes bigint, md5 varchar(32),
adler32 varchar(8), scope varchar(25), name varchar(250), created_at timestamp, updated_at timestamp, PRIMARY KEY
(rse_id, path));
CREATE TABLE replicas (rse_id uuid NOT NULL, scope varchar(25) NOT NULL, name varchar(250) NOT NULL, bytes bigint NOT
NULL, md5 varchar(32), adler32 varchar(8), path varchar(1024), state text NOT NULL, lock_cnt integer NOT NULL,
accessed_at timestamp, tombstone timestamp, created_at timestamp, updated_at timestamp, PRIMARY KEY (scope, name,
rse_id));
CREATE TABLE requests (id uuid NOT NULL, request_type text NOT NULL, scope varchar(25), name varchar(250), did_type
text NOT NULL, dest_rse_id uuid NOT NULL, source_rse_id uuid, attributes varchar(4000), state text NOT NULL,
external_id varchar(64), external_host varchar(256), retry_count integer NOT NULL, err_msg varchar(4000),
previous_attempt_id uuid, rule_id uuid, activity varchar(50), bytes bigint, md5 varchar(32), adler32 varchar(8),
dest_url varchar(2048), submitted_at timestamp, started_at timestamp, transferred_at timestamp, estimated_at
timestamp, submitter_id integer, estimated_started_at timestamp, estimated_transferred_at timestamp,
staging_started_at timestamp, staging_finished_at timestamp, account varchar(25), requested_at timestamp,
last_processed_by varchar(64), last_processed_at timestamp, priority integer, transfertool varchar(64), created_at
timestamp, updated_at timestamp, PRIMARY KEY (id));
CREATE TABLE rse_attr_map (rse_id uuid NOT NULL, key varchar(255) NOT NULL, value varchar(255), created_at timestamp,
updated_at timestamp, PRIMARY KEY (rse_id, key));
CREATE TABLE rse_limits (rse_id uuid NOT NULL, name varchar(255) NOT NULL, value bigint NOT NULL, created_at
timestamp, updated_at timestamp, PRIMARY KEY (rse_id, name));
CREATE TABLE rse_protocols (rse_id uuid NOT NULL, scheme varchar(255) NOT NULL, hostname varchar(255) NOT NULL, port
integer NOT NULL, prefix varchar(1024), impl varchar(255) NOT NULL, read_lan integer, write_lan integer, delete_lan
integer, read_wan integer, write_wan integer, delete_wan integer, third_party_copy_read integer,
third_party_copy_write integer, extended_attributes varchar(4000), created_at timestamp, updated_at timestamp,
PRIMARY KEY (rse_id, scheme, hostname, port));
CREATE TABLE rse_qos_map (rse_id uuid NOT NULL, qos_policy varchar(64) NOT NULL, created_at timestamp, updated_at
timestamp, PRIMARY KEY (rse_id, qos_policy));
CREATE TABLE rse_usage (rse_id uuid NOT NULL, source varchar(255) NOT NULL, used bigint, free bigint, files bigint,
created_at timestamp, updated_at timestamp, PRIMARY KEY (rse_id, source));
CREATE TABLE rse_usage_history (rse_id uuid NOT NULL, source varchar(255) NOT NULL, used bigint, free bigint, files
bigint, created_at timestamp, updated_at timestamp NOT NULL, PRIMARY KEY (rse_id, source, updated_at));
CREATE TABLE rses (id uuid NOT NULL, rse varchar(255) NOT NULL, vo varchar(3) NOT NULL, rse_type text NOT NULL,
deterministic boolean NOT NULL, volatile boolean NOT NULL, staging_area boolean NOT NULL, city varchar(255),
region_code varchar(2), country_name varchar(255), continent varchar(2), time_zone varchar(255), "ISP" varchar(255),
"ASN" varchar(255), longitude double precision, latitude double precision, availability integer NOT NULL,
availability_read boolean NOT NULL, availability_write boolean NOT NULL, availability_delete boolean NOT NULL,
qos_class varchar(64), deleted boolean, deleted_at timestamp, created_at timestamp, updated_at timestamp, PRIMARY KEY
(id));
CREATE TABLE rules (id uuid NOT NULL, subscription_id uuid, account varchar(25) NOT NULL, scope varchar(25) NOT NULL,
name varchar(250) NOT NULL, did_type text NOT NULL, state text NOT NULL, error varchar(255), rse_expression
varchar(3000) NOT NULL, copies smallint NOT NULL, expires_at timestamp, weight varchar(255), locked boolean NOT NULL,
locks_ok_cnt bigint NOT NULL, locks_replicating_cnt bigint NOT NULL, locks_stuck_cnt bigint NOT NULL,
source_replica_expression varchar(255), activity varchar(50), grouping text NOT NULL, notification text NOT NULL,
stuck_at timestamp, purge_replicas boolean NOT NULL, ignore_availability boolean NOT NULL, ignore_account_limit
boolean NOT NULL, priority integer, comments varchar(255), child_rule_id uuid, eol_at timestamp, split_container
boolean NOT NULL, meta varchar(4000), deleted_at timestamp, created_at timestamp, updated_at timestamp, PRIMARY KEY
(id));
CREATE TABLE rules_hist_recent (id uuid NOT NULL, subscription_id uuid, account varchar(25) NOT NULL, scope
varchar(25) NOT NULL, name varchar(250) NOT NULL, did_type text NOT NULL, state text NOT NULL, error varchar(255),
rse_expression varchar(3000) NOT NULL, copies smallint, expires_at timestamp, weight varchar(255), locked boolean NOT
NULL, locks_ok_cnt bigint, locks_replicating_cnt bigint NOT NULL, locks_stuck_cnt bigint, source_replica_expression
varchar(255), activity varchar(50), grouping text NOT NULL, notification text NOT NULL, stuck_at timestamp,
purge_replicas boolean NOT NULL, ignore_availability boolean NOT NULL, ignore_account_limit boolean NOT NULL,
priority integer, comments varchar(255), child_rule_id uuid, eol_at timestamp, split_container boolean NOT NULL, meta
varchar(4000), deleted_at timestamp, created_at timestamp, updated_at timestamp);
CREATE TABLE scopes (scope varchar(25) NOT NULL, account varchar(25) NOT NULL, is_default boolean NOT NULL, status
text NOT NULL, closed_at timestamp, deleted_at timestamp, created_at timestamp, updated_at timestamp, PRIMARY KEY
(scope));
CREATE TABLE subscriptions (id uuid NOT NULL, name varchar(64) NOT NULL, filter varchar(4000), replication_rules
varchar(4000), policyid smallint NOT NULL, state text NOT NULL, last_processed timestamp, account varchar(25) NOT
NULL, lifetime timestamp, comments varchar(4000), retroactive boolean NOT NULL, expired_at timestamp, created_at
timestamp, updated_at timestamp, PRIMARY KEY (id));
CREATE TABLE transfer_limits (id uuid NOT NULL, rse_expression varchar(3000) NOT NULL, activity varchar(50),
direction text NOT NULL, max_transfers bigint, volume bigint, deadline bigint, strategy varchar(25), transfers
bigint, waitings bigint, created_at timestamp, updated_at timestamp, PRIMARY KEY (id));
CREATE TABLE vos (vo varchar(3) NOT NULL, description varchar(255), email varchar(255), created_at timestamp,
updated_at timestamp, PRIMARY KEY (vo));
CREATE TABLE updated_dids (id uuid NOT NULL, scope varchar(25) NOT NULL, name varchar(250) NOT NULL, rule_evaluation_action
text NOT NULL, created_at timestamp, updated_at timestamp, PRIMARY KEY (id));
