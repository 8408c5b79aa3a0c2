import type { RequestRecord } from '../../contract/schemas/request.ts';
import type { FileDid } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { Rule } from '../../store/entities/rule.ts';
import type { Transfer } from '../../store/entities/transfer.ts';
import { formatDate, formatOptionalDate } from '../../time.ts';
import { stateOfTransfer } from './transfer-state.ts';

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

/** Columns that are always empty. */
export const unknownColumns = {
  dest_url: null,
  estimated_at: null,
  estimated_started_at: null,
  estimated_transferred_at: null,
  previous_attempt_id: null,
  requested_at: null,
  staging_finished_at: null,
  staging_started_at: null,
  started_at: null,
  submitter_id: null,
  transfertool: null,
} as const;

/** The activity of a copy without a rule. */
export const defaultActivity = 'default';

/** The priority of a copy without a rule. */
export const defaultPriority = 3;

/**
 * The record of a request (spec/access.md 6.6).
 *
 * @param now In milliseconds since 1970.
 * @param source The chosen source, if one was chosen.
 */
export function describeRequest(wanted: RequestDetails, now: number, source?: Rse): RequestRecord {
  const { transfer, destination, file, rule, sources } = wanted;
  const { activity = defaultActivity, priority = defaultPriority } = rule ?? {};
  const chosen = source ?? sources.find(({ id }) => transfer.lease !== undefined && id === transfer.sourceId);
  const content = { bytes: transfer.bytes ?? null, md5: file?.md5 ?? null, adler32: file?.adler32 ?? null };
  const dataset = rule?.didType === 'DATASET' ? rule.did : undefined;
  return {
    ...unknownColumns,
    ...content,
    err_msg: transfer.error ?? null,
    external_host: transfer.externalHost ?? null,
    external_id: transfer.externalId ?? null,
    last_processed_at: formatOptionalDate(transfer.updatedAt),
    last_processed_by: transfer.lease?.holder ?? null,
    submitted_at: formatOptionalDate(transfer.submittedAt),
    transferred_at: null,
    id: transfer.id,
    request_type: 'TRANSFER',
    ...transfer.did,
    did_type: 'FILE',
    dest_rse: destination.rse,
    dest_rse_id: destination.id,
    source_rse: chosen?.rse ?? null,
    source_rse_id: chosen?.id ?? null,
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
    state: stateOfTransfer(transfer, sources.length > 0, now),
    retry_count: transfer.attempts ?? 0,
    rule_id: rule?.id ?? transfer.ruleId,
    activity,
    account: rule?.account ?? null,
    priority,
    created_at: formatDate(transfer.createdAt),
    updated_at: formatDate(transfer.updatedAt ?? transfer.createdAt),
  };
}
