import * as z from 'zod/mini';

import type { ErrorName } from '../../errors.ts';
import { toText } from '../../json.ts';
import { booleanSpellings, readBoolean } from '../../python/boolean.ts';
import { pythonRepr } from '../../python/text.ts';
import { parseDate } from '../../time.ts';

/** An issue that becomes another exception than InvalidObject. */
function makeIssue(exception: ErrorName, message: string, input: unknown) {
  return { code: 'custom' as const, message, params: { exception }, input };
}

/** Transforms the output of a schema. */
export function mapped<S extends z.ZodMiniType, T>(schema: S, to: (value: z.output<S>) => T) {
  return z.pipe(schema, z.transform(to));
}

/** A schema whose output a function makes from the checked input. Senders still see the type of the input. */
export function prepared<S extends z.ZodMiniType>(
  schema: S,
  prepare: (given: unknown, context: z.core.ParsePayload) => unknown,
) {
  type Typed = z.ZodMiniPipe<z.ZodMiniTransform<z.input<S>, z.input<S>>, S>;
  return z.pipe(z.transform(prepare), schema) as unknown as Typed;
}

/**
 * A schema of an object with free keys, which refuses the key `__proto__`: such a schema would leave it out without a word, since
 * most objects of JavaScript cannot have it as an ordinary key.
 */
export function withoutProto<S extends z.ZodMiniType>(
  schema: S,
  refusal: { readonly exception?: ErrorName; readonly message: string } = { message: '__proto__ is no name' },
) {
  const { exception, message } = refusal;
  return prepared(schema, (given, context) => {
    if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__')) {
      const params = exception === undefined ? {} : { params: { exception } };
      context.issues.push({ code: 'custom', message, ...params, input: given });
    }
    return given;
  });
}

/**
 * Text that matches a pattern; violations have the message of Rucio's validator.
 *
 * @param shown The pattern as the message has it.
 */
export function pattern(expression: RegExp, longest: number, shown = expression.source) {
  return z.string().check(atMost(longest), matching(expression, shown));
}

/** The check of a length. */
export function atMost(longest: number) {
  return z.maxLength(longest, { abort: true, error: ({ input }) => `'${shorten(input)}' is too long` });
}

/** The check of a pattern. Its parameters are those of {@link pattern}. */
function matching(expression: RegExp, shown: string) {
  return z.regex(expression, {
    abort: true,
    error: ({ input }) => `${pythonRepr(toText(input))} does not match ${pythonRepr(shown)}`,
  });
}

/** The beginning of a value as text, for a message: a text or a list that is refused for its length may be very long. */
function shorten(input: unknown): string {
  const text = toText(input);
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}

/** The length of Rucio's columns of short texts. */
export const shortText = z.string().check(z.maxLength(255));

/** Rucio's columns of RSE expressions. */
const maxExpressionLength = 3_000;

/** An RSE expression, or the name of an RSE in its place. */
export const rseExpression = z.string().check(
  z.maxLength(maxExpressionLength, {
    abort: true,
    error: ({ input }) => `the RSE expression '${shorten(input)}' is longer than ${maxExpressionLength} characters`,
  }),
);

/** A non-negative integer of any size up to 2^63 - 1, exact. */
export const count = z.union([
  z.int().check(z.minimum(0)),
  z.bigint().check(z.minimum(0n), z.maximum(9_223_372_036_854_775_807n)),
]);

/** An integer of 64 bits, exact. */
export const bigInteger = z.union([
  z.int(),
  z.bigint().check(z.minimum(-9_223_372_036_854_775_808n), z.maximum(9_223_372_036_854_775_807n)),
]);

/** An integer as an answer carries it. */
export const integer = z.union([z.int(), z.bigint()]);

/** Rucio's date on the wire. */
export const date = z.string().check(z.meta({ description: 'Date such as `Sat, 21 Nov 2026 12:21:38 UTC`' }));

/** A date in text form, parsed to milliseconds since 1970. */
export const givenDate = mapped(
  z
    .string()
    .check(
      z.refine((text) => parseDate(text) !== undefined, { error: ({ input }) => `'${toText(input)}' is no date` }),
    ),
  (text) => parseDate(text) as number,
);

/** A query parameter that is true if present, whatever its value (spec/dids.md 1.7). */
export const presenceFlag = mapped(z.optional(z.string()), (value) => value !== undefined);

/** A repeatable query parameter; of every other one the first value counts. */
export const repeated = z._default(z.array(z.string()), []);

/** A boolean in any of Rucio's spellings. */
export function looseBoolean(name: string) {
  return z
    .pipe(
      z.unknown(),
      z.transform((value, context): boolean => {
        if (value === null) context.issues.push(makeIssue('KeyError', `'${name}' not defined`, value));
        const known = readBoolean(value);
        if (known === undefined && value !== null)
          context.issues.push(makeIssue('TypeError', `'${name}' must be a boolean type.`, value));
        return known ?? false;
      }),
    )
    .check(z.meta({ description: 'Texts are case-insensitive', enum: booleanSpellings }));
}

/** {@link looseBoolean} with the default false. */
export function looseFlag(name: string) {
  return z._default(looseBoolean(name), false);
}
