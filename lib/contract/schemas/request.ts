import * as z from 'zod/mini';

import { date, integer, mapped, rseExpression } from './common.ts';
import { listNames, RequestState } from './states.ts';

const attributes = z.object({
  activity: z.string(),
  source_replica_expression: z.nullable(z.string()),
  lifetime: z.null(),
  ds_scope: z.nullable(z.string()),
  ds_name: z.nullable(z.string()),
  bytes: z.nullable(integer),
  md5: z.nullable(z.string()),
  adler32: z.nullable(z.string()),
  priority: z.int(),
  allow_tape_source: z.boolean(),
});

/** Members that are always empty. */
const unknown = {
  dest_url: z.null(),
  estimated_at: z.null(),
  estimated_started_at: z.null(),
  estimated_transferred_at: z.null(),
  previous_attempt_id: z.null(),
  requested_at: z.null(),
  staging_finished_at: z.null(),
  staging_started_at: z.null(),
  started_at: z.null(),
  submitter_id: z.null(),
  transfertool: z.null(),
} as const;

const text = z.nullable(z.string());

/** Members that the mover tells. */
const told = {
  err_msg: text.check(z.meta({ description: 'Why the last attempt failed' })),
  external_host: text,
  external_id: text,
  last_processed_at: z.nullable(date),
  last_processed_by: text.check(z.meta({ description: 'Who holds the lease' })),
  submitted_at: z.nullable(date),
  transferred_at: z.nullable(date),
} as const;

/** A transfer request of a rule (spec/access.md 6.6). */
export const request = z.object({
  ...unknown,
  ...told,
  id: z.string(),
  request_type: z.literal('TRANSFER'),
  scope: z.string(),
  name: z.string(),
  did_type: z.literal('FILE'),
  dest_rse: z.string(),
  dest_rse_id: z.string(),
  source_rse: z.nullable(z.string()),
  source_rse_id: z.nullable(z.string()),
  sources: z.array(z.string()).check(z.meta({ description: 'Names of RSEs from which the file can be copied' })),
  attributes,
  state: z.enum(listNames(RequestState)),
  retry_count: z.int().check(z.meta({ description: 'Failed attempts' })),
  rule_id: z.string(),
  activity: z.string(),
  bytes: z.nullable(integer),
  md5: z.nullable(z.string()),
  adler32: z.nullable(z.string()),
  account: z.nullable(z.string()),
  priority: z.int(),
  created_at: date,
  updated_at: date,
});
export type RequestRecord = z.input<typeof request>;

/** A line of a list of requests; as in Rucio its attributes are a text. */
export const requestLine = z.extend(request, { attributes: z.string() });
export type RequestLine = z.input<typeof requestLine>;

const rses = (which: string) =>
  z.optional(rseExpression).check(z.meta({ description: `RSEs ${which}: a name or an expression` }));
const site = z.optional(z.string()).check(z.meta({ description: 'RSEs with this value of the attribute `site`' }));

const states = Object.entries(RequestState)
  .map(([name, letter]) => `${letter} (${name})`)
  .join(', ');

/** Filters of transfer requests; errors for missing ones are Rucio's. */
export const requestFilters = z.object({
  src_rse: rses('from which can be copied'),
  dst_rse: rses('to which is to be copied'),
  src_site: site,
  dst_site: site,
  request_states: z
    .optional(z.string())
    .check(z.meta({ description: `Letters or names of states, separated by commas: ${states}` })),
});
export type RequestFilters = z.output<typeof requestFilters>;

/** A number of lines; any other text counts as the default, as in Rucio. */
const looseCount = (fallback: number) =>
  mapped(z.optional(z.string()), (given = '') => (/^\d{1,9}$/.test(given) ? Number(given) : fallback)).check(
    z.meta({ description: `${fallback} unless it is a whole number` }),
  );

/** Filters of past attempts, and the part of the list. */
export const historyFilters = z.extend(requestFilters, {
  offset: looseCount(0),
  limit: looseCount(100),
});
export type HistoryFilters = z.output<typeof historyFilters>;

/** Filters of pairs of RSEs. */
export const metricsFilters = z.object({
  src_rse: z.optional(z.string()),
  dst_rse: z.optional(z.string()),
  activity: z.optional(z.string()),
  group_by_rse_attribute: z.optional(z.string()),
});

/** A line of the metrics: a pair of RSEs. */
export const requestMetrics = z.object({ src_rse: z.string(), dst_rse: z.string(), distance: z.nullable(z.number()) });
