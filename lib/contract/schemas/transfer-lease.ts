import * as z from 'zod/mini';

import { type ChecksumKind, normaliseChecksum, reportedChecksum } from '../../checksum.ts';
import { count, date, integer, mapped, pattern, rseExpression } from './common.ts';
import { RequestState } from './states.ts';

/** The shortest and the longest lease, in seconds. */
const [shortestLease, longestLease] = [10, 86_400];

/** The most transfers of a lease, and of a report. */
const maxTransfers = 500;

const seconds = z
  .int()
  .check(z.minimum(shortestLease), z.maximum(longestLease), z.meta({ description: 'How long the lease holds' }));

/** Body by which a mover asks for transfers. */
export const leaseWish = z.object({
  holder: z
    .string()
    .check(z.minLength(1), z.maxLength(100), z.meta({ description: 'Who asks, such as a host and a process' })),
  dst_rse: rseExpression.check(z.meta({ description: 'RSEs to which it copies: a name or an RSE expression' })),
  src_rse: z
    .optional(rseExpression)
    .check(z.meta({ description: 'RSEs from which it can copy, in the same form; absent: all' })),
  schemes: z
    .optional(z.array(z.string().check(z.minLength(1), z.maxLength(50))).check(z.minLength(1), z.maxLength(20)))
    .check(z.meta({ description: 'Schemes that it can use at both ends; absent: any' })),
  activity: z.optional(z.string()).check(z.meta({ description: 'Only transfers of this activity' })),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(maxTransfers)), 100),
  seconds: z._default(seconds, 600),
});
export type LeaseWishBody = z.output<typeof leaseWish>;

const leasedSource = z.object({
  rse: z.string(),
  rse_id: z.string(),
  url: z.nullable(z.string()),
  distance: z.nullable(z.number()),
  failures: z.int().check(z.meta({ description: 'Attempts of this transfer that failed from here' })),
});

/** A transfer that the mover now holds. */
export const leasedTransfer = z.object({
  id: z.string(),
  scope: z.string(),
  name: z.string(),
  bytes: z.nullable(integer),
  adler32: z.nullable(z.string()),
  md5: z.nullable(z.string()),
  dest_rse: z.string(),
  dest_rse_id: z.string(),
  dest_url: z
    .nullable(z.string())
    .check(z.meta({ description: 'Null on an RSE that is not deterministic: the mover chooses, and reports `path`' })),
  overwrite: z.boolean().check(z.meta({ description: 'A bad copy may be there, and is to be replaced' })),
  sources: z.array(leasedSource).check(z.meta({ description: 'The best first' })),
  activity: z.string(),
  priority: z.int(),
  rule_id: z.string(),
  retry_count: z.int().check(z.meta({ description: 'Failed attempts' })),
  external_id: z
    .nullable(z.string())
    .check(z.meta({ description: 'Set if it was submitted already: ask the transfer tool before anything else' })),
  external_host: z.nullable(z.string()),
  lease: z.string().check(z.meta({ description: 'To be sent with each report' })),
  expires_at: date,
});
export type LeasedTransferLine = z.input<typeof leasedTransfer>;

/** The answer to a lease. */
export const leasedTransfers = z.array(leasedTransfer);

const text = (longest: number) => z.optional(z.string().check(z.maxLength(longest)));

const checksum = (kind: ChecksumKind) =>
  z.optional(mapped(pattern(reportedChecksum[kind], 32), (given) => normaliseChecksum(kind, given)));

/** Report of a mover about a transfer. */
const reportedRequest = z.object({
  scope: z.string(),
  name: z.string(),
  lease: z.string().check(z.maxLength(100)),
  state: z
    .enum(['SUBMITTING', 'SUBMITTED', 'DONE', 'FAILED', 'QUEUED', 'NO_SOURCES', 'ONLY_TAPE_SOURCES', 'MISMATCH_SCHEME'])
    .check(
      z.meta({
        description:
          '`SUBMITTING` and `SUBMITTED` prolong the lease, `QUEUED` gives the transfer back, from `seconds` on, the last three put it off',
      }),
    ),
  seconds: z.optional(seconds),
  source_rse: text(255),
  external_id: text(255),
  external_host: text(255),
  bytes: z.optional(count).check(z.meta({ description: 'Size of the copy' })),
  adler32: checksum('adler32'),
  md5: checksum('md5'),
  path: text(1024).check(z.meta({ description: 'Path of the copy on an RSE that is not deterministic' })),
  err_msg: z.optional(z.string()).check(z.meta({ description: 'Why it failed' })),
});
export type ReportedRequest = z.output<typeof reportedRequest>;

/** Body by which a mover reports. */
export const transferReport = z.object({
  rse: z.string().check(z.meta({ description: 'The destination' })),
  requests: z.array(reportedRequest).check(z.minLength(1), z.maxLength(maxTransfers)),
});
export type TransferReport = z.output<typeof transferReport>;

/** Result of a reported transfer. */
const transferOutcome = z.object({
  scope: z.string(),
  name: z.string(),
  lease: z.string(),
  state: z
    .enum(Object.keys(RequestState) as (keyof typeof RequestState)[])
    .check(z.meta({ description: '`LOST`: the lease is not the present one, and the report had no effect' })),
  retry_count: z.int(),
  next_at: z.nullable(date).check(z.meta({ description: 'When a mover may take the transfer next' })),
  err_msg: z.nullable(z.string()),
});
export type TransferOutcome = z.input<typeof transferOutcome>;

/** The answer to a report: the outcomes in its order. */
export const transferOutcomes = z.array(transferOutcome);
