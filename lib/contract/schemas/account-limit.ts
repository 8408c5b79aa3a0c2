import * as z from 'zod/mini';

import type { Integer } from '../../integer.ts';
import { Unlimited } from '../../json.ts';
import { integer } from './common.ts';

const bytesLimit = z.union([
  integer,
  z
    .instanceof(Unlimited)
    .check(z.meta({ description: 'No limit: the bare token `Infinity`, which is not valid JSON' })),
]);
/** A limit in bytes, or unlimited. */
export type BytesLimit = z.input<typeof bytesLimit>;

const maxBytes = 9_223_372_036_854_775_807n;

function isLimit(value: unknown): value is Integer {
  if (typeof value === 'bigint') return value >= -1n && value <= maxBytes;
  return Number.isSafeInteger(value) && (value as number) >= -1;
}

/** Body that sets a limit; -1 means unlimited. */
export const newLimit = z.object({
  // A missing key is reported as such.
  bytes: z
    .custom<Integer>((value) => value === undefined || isLimit(value), {
      error: () => "'bytes' must be an integer of at least -1",
      params: { exception: 'ValueError' },
    })
    .check(z.meta({ type: 'integer', minimum: -1, description: 'In bytes; -1 is no limit' })),
});

/** Limits by RSE or expression. */
export const limits = z.record(z.string(), bytesLimit);
export type Limits = z.input<typeof limits>;

/** A limit by its RSE or expression; null without a limit. */
export const limit = z.record(z.string(), z.nullable(bytesLimit));
export type Limit = z.input<typeof limit>;

/** Limits by expression, each with the RSEs that match it now. */
export const globalLimits = z.record(
  z.string(),
  z.object({ resolved_rses: z.array(z.string()), resolved_rse_ids: z.array(z.string()), limit: bytesLimit }),
);
export type GlobalLimits = z.input<typeof globalLimits>;

const used = { bytes: integer, files: integer, bytes_limit: bytesLimit, bytes_remaining: bytesLimit };

/** Usage of an RSE by an account. */
export const localUsage = z.object({ rse_id: z.string(), rse: z.string(), ...used });
export type LocalUsage = z.input<typeof localUsage>;

/** Usage of the RSEs of an expression together, by an account. */
export const globalUsage = z.object({ rse_expression: z.string(), ...used });
export type GlobalUsage = z.input<typeof globalUsage>;

/** Past usage of an account; dates without a zone. */
export const usageHistory = z.array(z.object({ bytes: integer, files: integer, updated_at: z.string() }));
export type UsageHistory = z.input<typeof usageHistory>;
