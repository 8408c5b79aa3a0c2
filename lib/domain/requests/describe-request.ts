import type { RequestRecord } from '../../contract/schemas/request.ts';
import type { FileDid } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { Rule } from '../../store/entities/rule.ts';
import type { Transfer } from '../../store/entities/transfer.ts';
import { formatDate } from '../../time.ts';

/** A requested copy with the data of its record. */
export interface RequestDetails {
  readonly transfer: Transfer;
  readonly destination: Rse;
  /** Undefined while the file is being deleted. */
  readonly file: FileDid | undefined;
  /** The rule that asked first or, when it is deleted, another one; undefined when no rule needs the copy any more. */
  readonly rule: Rule | undefined;
  /** The RSEs from which the file can be copied, in name order. */
  readonly sources: readonly Rse[];
}

/** Columns that are empty before a transfer begins. */
const notBegun = {
  dest_url: null,
  err_msg: null,
  estimated_at: null,
  estimated_started_at: null,
  estimated_transferred_at: null,
  external_host: null,
  external_id: null,
  last_processed_at: null,
  last_processed_by: null,
  previous_attempt_id: null,
  requested_at: null,
  staging_finished_at: null,
  staging_started_at: null,
  started_at: null,
  submitted_at: null,
  submitter_id: null,
  transferred_at: null,
  transfertool: null,
} as const;

/** The activity of a copy without a rule. */
const defaultActivity = 'default';

/** The priority of a copy without a rule. */
const defaultPriority = 3;

/**
 * The record of a request (spec/access.md 6.6).
 *
 * @param source The chosen source, if one was chosen.
 */
export function describeRequest(wanted: RequestDetails, source?: Rse): RequestRecord {
  const { transfer, destination, file, rule, sources } = wanted;
  const { activity = defaultActivity, priority = defaultPriority } = rule ?? {};
  const content = { bytes: transfer.bytes ?? null, md5: file?.md5 ?? null, adler32: file?.adler32 ?? null };
  const dataset = rule?.didType === 'DATASET' ? rule.did : undefined;
  const at = formatDate(transfer.createdAt);
  return {
    ...notBegun,
    ...content,
    id: transfer.id,
    request_type: 'TRANSFER',
    ...transfer.did,
    did_type: 'FILE',
    dest_rse: destination.rse,
    dest_rse_id: destination.id,
    source_rse: source?.rse ?? null,
    source_rse_id: source?.id ?? null,
    sources: sources.map(({ rse }) => rse),
    attributes: {
      ...content,
      activity,
      source_replica_expression: rule?.sourceReplicaExpression ?? null,
      lifetime: null,
      ds_scope: dataset?.scope ?? null,
      ds_name: dataset?.name ?? null,
      priority,
      allow_tape_source: true,
    },
    state: sources.length === 0 ? 'NO_SOURCES' : 'QUEUED',
    retry_count: 0,
    rule_id: rule?.id ?? transfer.ruleId,
    activity,
    account: rule?.account ?? null,
    priority,
    created_at: at,
    updated_at: at,
  };
}
