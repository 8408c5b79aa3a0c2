import * as z from 'zod/mini';

import type { ErrorName } from '../../errors.ts';
import { toJson } from '../../json.ts';
import { looseBoolean, looseFlag, mapped } from './common.ts';
import {
  type FilterInput,
  filterMeta,
  flawOfFilter,
  flawOfTemplates,
  isFalsy,
  isObject,
  type TemplateInput,
  templatesMeta,
} from './subscription-filter.ts';
import type { SubscriptionState } from './subscription.ts';

/** A value that is left as it came, and refused in Rucio's words. What is absent is reported as absent. */
function checked<T>(flawOf: (value: unknown) => string | undefined, exception: ErrorName = 'InvalidObject') {
  return z.custom<T>((value) => value === undefined || flawOf(value) === undefined, {
    error: ({ input }) => flawOf(input) ?? '',
    params: { exception },
  });
}

/** A part of a change: what is false in Python changes nothing (spec/access.md 3.4). */
function changing<S extends z.ZodMiniType>(schema: S) {
  return z.optional(
    z.pipe(
      z.transform((value) => (isFalsy(value) ? undefined : value)),
      z.optional(schema),
    ),
  );
}

const filter = checked<FilterInput>(flawOfFilter).check(z.meta(filterMeta));
const templates = checked<readonly TemplateInput[]>(flawOfTemplates).check(z.meta(templatesMeta));

const comments = checked<string | null>((value) => {
  if (value !== null && typeof value !== 'string') return 'comments should be a text';
  return (value?.length ?? 0) <= 4000 ? undefined : 'comments should have at most 4000 characters';
}).check(z.meta({ type: ['string', 'null'], maxLength: 4000 }));

/** Days from now on, that end before the year 10,000 and after the year 0. */
const isDays = (days: unknown): days is number => typeof days === 'number' && days > -730_000 && days < 2_900_000;

/** `true` is a day; a text is a number only where `texts` are. */
function toDays(value: unknown, texts: boolean): unknown {
  if (value === true) return 1;
  return texts && typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
}

function lifetime({ texts }: { readonly texts: boolean }) {
  return mapped(
    checked<unknown>((value) =>
      isFalsy(value) || isDays(toDays(value, texts)) ? undefined : `lifetime is no number of days: ${toJson(value)}`,
    ),
    (value) => (isFalsy(value) ? undefined : (toDays(value, texts) as number)),
  ).check(z.meta({ type: ['number', 'null'], description: 'Days from now' }));
}

const least = -32_768;
const greatest = 32_767;

const toPriority = (value: unknown) =>
  typeof value === 'string' && /^\s*[+-]?\d{1,6}\s*$/.test(value) ? Number(value) : value;

const isPriority = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= greatest;

const priority = z
  .optional(
    mapped(
      checked<unknown>((value) =>
        isFalsy(value) || isPriority(toPriority(value)) ? undefined : `priority is no number: ${toJson(value)}`,
      ),
      (value) => (isFalsy(value) ? undefined : (toPriority(value) as number)),
    ),
  )
  .check(
    z.meta({ type: ['integer', 'null'], minimum: least, maximum: greatest, description: 'The least comes first' }),
  );

/** An object that must have these keys. */
function withKeys<S extends z.ZodMiniType>(keys: readonly string[], schema: S) {
  const missing = (value: unknown) => keys.find((key) => !isObject(value) || !Object.hasOwn(value, key));
  const flawOf = (value: unknown) => (missing(value) === undefined ? undefined : `'${missing(value)}' not defined`);
  return z.pipe(checked(flawOf, 'KeyError'), schema);
}

/** Body of the creation of a subscription (spec/access.md 3.3). */
export const newSubscription = z.object({
  options: withKeys(
    ['filter', 'replication_rules', 'comments', 'lifetime', 'retroactive'],
    z.object({
      filter,
      replication_rules: templates,
      comments,
      lifetime: lifetime({ texts: false }),
      retroactive: looseBoolean('retroactive'),
      dry_run: looseFlag('dry_run'),
      priority,
    }),
  ),
});
export type NewSubscription = z.output<typeof newSubscription>['options'];

/** The states by the letters that a change may name. */
const stateByLetter = new Map<unknown, SubscriptionState>([
  ['A', 'ACTIVE'],
  ['I', 'INACTIVE'],
  ['N', 'NEW'],
  ['U', 'UPDATED'],
  ['B', 'BROKEN'],
]);

const state = z
  .optional(
    mapped(
      checked<unknown>((value) =>
        value === null || stateByLetter.has(value)
          ? undefined
          : `Invalid subscription state: ${typeof value === 'string' ? value : toJson(value)}`,
      ),
      (value) => stateByLetter.get(value),
    ),
  )
  .check(
    z.meta({
      enum: [...stateByLetter.keys(), null],
      description: '`I` makes it inactive; every other change makes it active',
    }),
  );

/** Body of the change of a subscription: what it names is replaced (spec/access.md 3.4). */
export const subscriptionChange = z.object({
  options: z.object({
    filter: changing(filter),
    replication_rules: changing(templates),
    comments: changing(comments),
    lifetime: z.optional(lifetime({ texts: true })),
    retroactive: changing(looseBoolean('retroactive')),
    priority,
    state,
    // Rucio does not know it here, and takes anything.
    dry_run: z
      .optional(mapped(z.unknown(), (value) => (typeof value === 'boolean' ? value : undefined)))
      .check(z.meta({ description: '`false`: from now on its rules are made; no boolean: nothing' })),
  }),
});
export type SubscriptionChange = z.output<typeof subscriptionChange>['options'];
