import * as z from 'zod/mini';

import { bigInteger, date, integer, looseFlag, mapped } from './common.ts';
import { unwrapped } from './wrapped.ts';

const number = mapped(z.nullish(bigInteger), (value) => value ?? null);

/** Body that sets the usage of an RSE that a source reports (spec/rses.md 1.25). */
export const newRseUsage = unwrapped(
  z.object({ source: z.string().check(z.minLength(1), z.maxLength(255)), used: number, free: number, files: number }),
);
export type NewRseUsage = z.output<typeof newRseUsage>;

const source = z.optional(z.string()).check(z.meta({ description: 'Only usage that this source reports' }));

/** Query of the usage of an RSE. */
export const usageFilters = z.object({ source, per_account: looseFlag('per_account') });
export type UsageFilters = z.output<typeof usageFilters>;

/** Query of the past usage of an RSE. */
export const historyFilters = z.object({ source });

/** An account's share of an RSE; the percentage is of the total. */
const accountShare = z.object({ used: integer, account: z.string(), percentage: z.number() });
export type AccountShare = z.input<typeof accountShare>;

/** The usage of an RSE that a source reports (spec/rses.md 7.1). */
export const usageLine = z.object({
  rse_id: z.string(),
  rse: z.string(),
  source: z.string(),
  used: z.nullable(integer),
  free: z.nullable(integer),
  total: integer,
  files: z.nullable(integer),
  updated_at: date,
  account_usages: z.optional(z.array(accountShare)),
});
export type UsageLine = z.input<typeof usageLine>;

/** The usage of an RSE that a source reported at a time (spec/rses.md 7.2). */
export const pastUsageLine = z.object({
  rse_id: z.string(),
  rse: z.string(),
  source: z.string(),
  used: integer,
  free: integer,
  total: integer,
  files: z.optional(integer).check(z.meta({ description: 'Only where the source reported it' })),
  updated_at: date,
});
export type PastUsageLine = z.input<typeof pastUsageLine>;

/** Usage and quota of an account on an RSE (spec/rses.md 7.5). */
export const accountUsageLine = z.object({
  rse_id: z.string(),
  rse: z.string(),
  account: z.string(),
  used_files: integer,
  used_bytes: integer,
  quota_bytes: z.nullable(integer).check(z.meta({ description: '-1: no limit; null: none was set' })),
});
export type AccountUsageLine = z.input<typeof accountUsageLine>;
