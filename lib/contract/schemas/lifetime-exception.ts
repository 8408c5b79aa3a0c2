import * as z from 'zod/mini';

import { toJson } from '../../json.ts';
import { date, givenDate, mapped } from './common.ts';
import { didType } from './did.ts';

const exceptionState = z.enum(['WAITING', 'APPROVED', 'REJECTED']);
/** The decision about an exception. */
export type ExceptionState = z.output<typeof exceptionState>;

/** A DID that is kept beyond its end of life; several DIDs share one exception id (spec/access.md 6.5). */
export const lifetimeException = z.object({
  id: z.string(),
  scope: z.string(),
  name: z.string(),
  did_type: didType,
  account: z.string().check(z.meta({ description: 'Account that asked for it' })),
  pattern: z.nullable(z.string()),
  comments: z.nullable(z.string()),
  state: exceptionState,
  created_at: date,
  expires_at: z.nullable(date),
});
export type LifetimeExceptionRecord = z.input<typeof lifetimeException>;

/** Body that asks for exceptions; unknown keys are ignored. */
export const newExceptions = z.object({
  dids: z._default(z.array(z.object({ scope: z.string(), name: z.string() })), []),
  pattern: z.nullish(z.string().check(z.maxLength(255))),
  comments: z.nullish(z.string().check(z.maxLength(4000))),
  expires_at: z.nullish(givenDate).check(z.meta({ description: 'Date such as `Sat, 21 Nov 2026 12:21:38 UTC`' })),
});
export type NewExceptions = z.output<typeof newExceptions>;

const didOfType = z.object({ scope: z.string(), name: z.string(), did_type: didType });
export type DidOfType = z.input<typeof didOfType>;

/** The outcome of a request for exceptions. */
export const addedExceptions = z.object({
  exceptions: z
    .record(z.string(), z.array(didOfType))
    .check(z.meta({ description: 'By id: one for each scope and datatype' })),
  unknown: z.array(didOfType),
  not_affected: z.array(didOfType).check(z.meta({ description: 'DIDs that end after the cutoff date' })),
});
export type AddedExceptions = z.input<typeof addedExceptions>;

const decisions = new Map<unknown, ExceptionState>([
  ['A', 'APPROVED'],
  ['APPROVED', 'APPROVED'],
  ['R', 'REJECTED'],
  ['REJECTED', 'REJECTED'],
]);

/** Body that decides about an exception. */
export const exceptionDecision = z.object({
  state: mapped(
    z.custom((value) => decisions.has(value), {
      error: ({ input }) => `${toJson(input ?? null)} is no decision about a lifetime exception`,
      params: { exception: 'UnsupportedOperation' },
    }),
    (value) => decisions.get(value) as ExceptionState,
  ).check(z.meta({ enum: [...decisions.keys()] })),
});
