import * as z from 'zod';

import { date, integer } from './common.ts';

/** States of a request by Rucio's letters (spec/access.md 6.6). */
export const requestStates = {
  Q: 'QUEUED',
  G: 'SUBMITTING',
  S: 'SUBMITTED',
  F: 'FAILED',
  D: 'DONE',
  L: 'LOST',
  N: 'NO_SOURCES',
  O: 'ONLY_TAPE_SOURCES',
  A: 'SUBMISSION_FAILED',
  M: 'MISMATCH_SCHEME',
  U: 'SUSPEND',
  W: 'WAITING',
  P: 'PREPARING',
} as const;

const attributes = z.object({
  activity: z.string(),
  source_replica_expression: z.string().nullable(),
  lifetime: z.null(),
  ds_scope: z.string().nullable(),
  ds_name: z.string().nullable(),
  bytes: integer.nullable(),
  md5: z.string().nullable(),
  adler32: z.string().nullable(),
  priority: z.int(),
  allow_tape_source: z.boolean(),
});

/** What only whoever carries out a request could say. */
const unknown = {
  dest_url: z.null(),
  err_msg: z.null(),
  estimated_at: z.null(),
  estimated_started_at: z.null(),
  estimated_transferred_at: z.null(),
  external_host: z.null(),
  external_id: z.null(),
  last_processed_at: z.null(),
  last_processed_by: z.null(),
  previous_attempt_id: z.null(),
  requested_at: z.null(),
  staging_finished_at: z.null(),
  staging_started_at: z.null(),
  started_at: z.null(),
  submitted_at: z.null(),
  submitter_id: z.null(),
  transferred_at: z.null(),
  transfertool: z.null(),
} as const;

/** A copy that a rule asks for (spec/access.md 6.6). */
export const request = z.object({
  ...unknown,
  id: z.string(),
  request_type: z.literal('TRANSFER'),
  scope: z.string(),
  name: z.string(),
  did_type: z.literal('FILE'),
  dest_rse: z.string(),
  dest_rse_id: z.string(),
  source_rse: z.string().nullable(),
  source_rse_id: z.string().nullable(),
  sources: z.array(z.string()).meta({ description: 'RSEs from which the file can be copied, by their names' }),
  attributes,
  state: z.enum(['QUEUED', 'NO_SOURCES']),
  retry_count: z.int(),
  rule_id: z.string(),
  activity: z.string(),
  bytes: integer.nullable(),
  md5: z.string().nullable(),
  adler32: z.string().nullable(),
  account: z.string().nullable(),
  priority: z.int(),
  created_at: date,
  updated_at: date,
});
export type RequestRecord = z.input<typeof request>;

/** A line of a list of requests, where the attributes are a text, as in Rucio. */
export const requestLine = request.extend({ attributes: z.string() });
export type RequestLine = z.input<typeof requestLine>;

const rses = (which: string) =>
  z
    .string()
    .optional()
    .meta({ description: `RSEs ${which}: a name or an expression` });
const site = z.string().optional().meta({ description: 'RSEs with this value of the attribute `site`' });

/** Which requests are asked for; what is missing is told in Rucio's words. */
export const requestFilters = z.object({
  src_rse: rses('from which can be copied'),
  dst_rse: rses('to which is to be copied'),
  src_site: site,
  dst_site: site,
  request_states: z.string().optional().meta({ description: 'Letters of states, by commas' }),
});
export type RequestFilters = z.output<typeof requestFilters>;

/** Which pairs of RSEs are asked for. */
export const metricsFilters = z.object({
  src_rse: z.string().optional(),
  dst_rse: z.string().optional(),
  activity: z.string().optional(),
  group_by_rse_attribute: z.string().optional(),
});

/** A line of the metrics: a pair of RSEs. */
export const requestMetrics = z.object({ src_rse: z.string(), dst_rse: z.string(), distance: z.number().nullable() });
