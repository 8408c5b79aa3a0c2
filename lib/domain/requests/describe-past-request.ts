import type { RequestRecord } from '../../contract/schemas/request.ts';
import type { PastTransfer } from '../../store/entities/past-transfer.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { formatDate, formatOptionalDate } from '../../time.ts';
import { defaultActivity, defaultPriority, unknownColumns } from './describe-request.ts';

/** The record of an attempt that has ended (spec/access.md 6.6). Of a rule that is gone nothing is known. */
export function describePastRequest(past: PastTransfer, rses: ReadonlyMap<string, Rse>): RequestRecord {
  const { did, rseId, state, activity = defaultActivity, priority = defaultPriority, sourceId } = past;
  const source = sourceId === undefined ? undefined : rses.get(sourceId);
  const content = { bytes: past.bytes ?? null, md5: past.md5 ?? null, adler32: past.adler32 ?? null };
  return {
    ...unknownColumns,
    ...content,
    err_msg: past.error ?? null,
    external_host: past.externalHost ?? null,
    external_id: past.externalId ?? null,
    last_processed_at: formatDate(past.endedAt),
    last_processed_by: null,
    submitted_at: formatOptionalDate(past.submittedAt),
    transferred_at: state === 'DONE' ? formatDate(past.endedAt) : null,
    id: past.id,
    request_type: 'TRANSFER',
    ...did,
    did_type: 'FILE',
    dest_rse: rses.get(rseId)?.rse ?? rseId,
    dest_rse_id: rseId,
    source_rse: source?.rse ?? null,
    source_rse_id: sourceId ?? null,
    sources: source === undefined ? [] : [source.rse],
    attributes: {
      ...content,
      activity,
      source_replica_expression: null,
      lifetime: null,
      ds_scope: null,
      ds_name: null,
      priority,
      allow_tape_source: true,
    },
    state,
    retry_count: past.attempts,
    rule_id: past.ruleId,
    activity,
    account: past.account ?? null,
    priority,
    created_at: formatDate(past.createdAt),
    updated_at: formatDate(past.endedAt),
  };
}
