import * as z from 'zod/mini';

import type { ErrorName } from '../../errors.ts';
import { toJson, toText } from '../../json.ts';
import { mapped, shortText } from './common.ts';
import { accountAttribute } from './names.ts';

const accountTypes = ['USER', 'GROUP', 'SERVICE'] as const;
const accountType = z.enum(accountTypes);
const status = z.enum(['ACTIVE', 'SUSPENDED', 'DELETED']);

/** A member of an enumeration, case-insensitive. */
export function caseless<T extends string>(
  members: readonly T[],
  exception: ErrorName,
  message: (input: unknown) => string,
) {
  return mapped(
    z.string().check(
      z.refine((text) => members.some((member) => member === text.toUpperCase()), {
        error: ({ input }) => message(input),
        params: { exception },
      }),
    ),
    (text) => text.toUpperCase() as T,
  );
}

const newAccountType = caseless(
  accountTypes,
  'InvalidAccountType',
  (input) => `${toText(input)} is an invalid account type. Choose from ['USER', 'GROUP', 'SERVICE']`,
);

/** Body of the creation of an account. */
export const newAccount = z.object({ type: newAccountType, email: z.nullable(shortText) });
export type NewAccount = z.output<typeof newAccount>;

/** Body of the change of an account; unknown keys are ignored (spec/access.md 2.2). */
export const accountChange = z.looseObject({
  status: z.optional(caseless(status.options, 'ValueError', (input) => `Unknown value ${toText(input)}`)),
  email: z.optional(z.nullable(shortText)),
  account_type: z.optional(newAccountType),
});
export type AccountChange = z.output<typeof accountChange>;

/** Filters of the list of accounts; every other key is an attribute (spec/access.md 2.2). */
export const accountFilters = z.catchall(
  z.object({
    account: z.optional(z.string()).check(z.meta({ description: 'Name; `*` stands for any text' })),
    account_type: z.optional(
      z.string().check(
        z.refine((text) => accountTypes.some((type) => type === text), {
          error: ({ input }) => `Unknown value ${toText(input)}`,
          params: { exception: 'ValueError' },
        }),
      ),
    ),
    identity: z.optional(z.string()),
  }),
  z.string(),
);
export type AccountFilters = z.output<typeof accountFilters>;

/** Answer to `GET /accounts/{account}`; dates without a zone, such as `2026-11-21T12:24:32`. */
export const account = z.object({
  account: z.string(),
  account_type: accountType,
  status,
  email: z.nullable(z.string()),
  suspended_at: z.nullable(z.string()),
  deleted_at: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});
export type AccountAnswer = z.input<typeof account>;

/** A line of the list of accounts. */
export const accountLine = z.object({ account: z.string(), type: accountType, email: z.nullable(z.string()) });
export type AccountLine = z.input<typeof accountLine>;

const unchecked = new Set<unknown>(['', false, 0, null]);

/**
 * Body of the creation of an attribute; the path holds its key. Like Rucio, values that are falsy in Python are not
 * checked.
 */
export const newAttribute = z.object({
  value: z.custom<string | false | 0 | null>(
    (value) => value === undefined || unchecked.has(value) || accountAttribute.safeParse(value).success,
    {
      error: ({ input }) => `Problem validating account_attribute: ${toJson(input)} is not valid`,
      params: { exception: 'InvalidObject' },
    },
  ),
});

/** An attribute of an account; the texts true and false become booleans. */
export const attribute = z.object({ key: z.string(), value: z.union([z.string(), z.boolean(), z.null()]) });
export type Attribute = z.input<typeof attribute>;
