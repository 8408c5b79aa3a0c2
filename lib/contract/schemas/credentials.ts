import * as z from 'zod/mini';

import { mapped } from './common.ts';

/** The services whose URLs can be signed. */
export const signServices = ['gcs', 's3', 'swift'] as const;
export type SignService = (typeof signServices)[number];

/** Operations that a signed URL allows. */
const signOperations = ['read', 'write', 'delete'] as const;
export type SignOperation = (typeof signOperations)[number];

const valueError = (error: string) => ({ error, params: { exception: 'ValueError' }, abort: true });

/** A text that must be there. */
const present = (name: string) =>
  mapped(
    z.optional(z.string()).check(z.refine((text) => text !== undefined, valueError(`Parameter "${name}" not found`))),
    String,
  );

const isOf = <const T extends string>(values: readonly T[], text: string): text is T =>
  values.some((value) => value === text);

/** Seconds that a URL is valid if the query names none, or names a text that is no number. */
const defaultLifetimeSeconds = 600;

/** Query of a signed URL (spec/access.md 6.7). */
export const signQuery = z.object({
  rse: present('rse'),
  url: present('url'),
  lifetime: mapped(z.optional(z.string()), (text) =>
    /^\s*[+-]?\d+\s*$/.test(text ?? '') ? Number(text) : defaultLifetimeSeconds,
  ).check(z.meta({ type: 'integer', description: `Seconds; by default ${defaultLifetimeSeconds}` })),
  svc: mapped(
    z
      ._default(z.string(), 'gcs')
      .check(
        z.refine(
          (text) => isOf(signServices, text),
          valueError('Parameter "svc" must be either empty (which defaults to "gcs"), "gcs", "s3" or "swift"'),
        ),
      ),
    (text) => text as SignService,
  ).check(z.meta({ enum: [...signServices], description: 'By default `gcs`' })),
  op: mapped(
    z
      ._default(z.string(), 'read')
      .check(
        z.refine(
          (text) => isOf(signOperations, text),
          valueError('Parameter "op" must be either empty (which defaults to "read"), "read", "write", or "delete".'),
        ),
      ),
    (text) => text as SignOperation,
  ).check(z.meta({ enum: [...signOperations], description: 'By default `read`' })),
});
export type SignQuery = z.output<typeof signQuery>;
