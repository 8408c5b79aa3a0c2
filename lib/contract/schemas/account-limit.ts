import * as z from 'zod/mini';

import type { Integer } from '../../integer.ts';
import { Unlimited } from '../../json.ts';
import { integer } from './common.ts';

const bytesLimit = z.union([
  integer,
  z.instanceof(Unlimited).check(z.meta({ description: 'No limit: the bare token `Infinity`, which is no JSON' })),
]);
/** A limit in bytes, or none. */
export type BytesLimit = z.input<typeof bytesLimit>;

const mostBytes = 9_223_372_036_854_775_807n;

function isLimit(value: unknown): value is Integer {
  if (typeof value === 'bigint') return value >= -1n && value <= mostBytes;
  return Number.isSafeInteger(value) && (value as number) >= -1;
}

/** Body that sets a limit; -1 is no limit. */
export const newLimit = z.object({
  // What is absent is reported as absent.
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

/** A limit by its RSE or expression; null where there is none. */
export const limit = z.record(z.string(), z.nullable(bytesLimit));
export type Limit = z.input<typeof limit>;

/** Limits by expression, with the RSEs that each is about now. */
export const globalLimits = z.record(
  z.string(),
  z.object({ resolved_rses: z.array(z.string()), resolved_rse_ids: z.array(z.string()), limit: bytesLimit }),
);
export type GlobalLimits = z.input<typeof globalLimits>;

const used = { bytes: integer, files: integer, bytes_limit: bytesLimit, bytes_remaining: bytesLimit };

/** What an account uses of an RSE. */
export const localUsage = z.object({ rse_id: z.string(), rse: z.string(), ...used });
export type LocalUsage = z.input<typeof localUsage>;

/** What an account uses of the RSEs of an expression together. */
export const globalUsage = z.object({ rse_expression: z.string(), ...used });
export type GlobalUsage = z.input<typeof globalUsage>;

/** What an account has used over time; dates without a zone. */
export const usageHistory = z.array(z.object({ bytes: integer, files: integer, updated_at: z.string() }));
export type UsageHistory = z.input<typeof usageHistory>;
