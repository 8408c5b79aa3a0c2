import * as z from 'zod';

import type { ErrorName } from '../../errors.ts';

/** Turns a violation into another exception than InvalidObject. */
function issue(exception: ErrorName, message: string) {
  return { code: 'custom' as const, message, params: { exception } };
}

/** Text that matches a pattern, with the message of Rucio's validator. */
export function pattern(expression: RegExp, longest: number) {
  return z
    .string()
    .max(longest, { error: ({ input }) => `'${input as string}' is too long` })
    .regex(expression, { error: ({ input }) => `'${input as string}' does not match '${expression.source}'` });
}

/** A non-negative integer of any size up to 2^63 - 1, exact. */
export const count = z.union([z.int().min(0), z.bigint().min(0n).max(9_223_372_036_854_775_807n)]);

/** An integer of 64 bits, exact. */
export const bigInteger = z.union([
  z.int(),
  z.bigint().min(-9_223_372_036_854_775_808n).max(9_223_372_036_854_775_807n),
]);

/** An integer as an answer carries it. */
export const integer = z.union([z.int(), z.bigint()]);

/** Rucio's date on the wire. */
export const date = z.string().meta({ description: 'Date such as `Sat, 21 Nov 2026 12:21:38 UTC`' });

/** A query parameter that is true when it is there, whatever its value (spec/dids.md 1.7). */
export const presenceFlag = z
  .string()
  .optional()
  .transform((value) => value !== undefined);

/** A query parameter that may stand several times; every other one is what it says first. */
export const repeated = z.array(z.string()).default([]);

const spellings = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  [1, true],
  [0, false],
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

/** A boolean in Rucio's spellings: JSON booleans, 0 and 1, and their texts in any case (spec/dids.md 1.7). */
export function looseBoolean(name: string) {
  return z
    .unknown()
    .transform((value, context): boolean => {
      if (value === null) context.addIssue(issue('KeyError', `'${name}' not defined`));
      const known = spellings.get(typeof value === 'string' ? value.toLowerCase() : value);
      if (known === undefined && value !== null)
        context.addIssue(issue('TypeError', `'${name}' must be a boolean type.`));
      return known ?? false;
    })
    .meta({ description: 'Texts in any case', enum: [...spellings.keys()] });
}

/** {@link looseBoolean} that is false when it is absent. */
export function looseFlag(name: string) {
  return looseBoolean(name).default(false);
}
