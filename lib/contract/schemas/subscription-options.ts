import * as z from 'zod/mini';

import type { ErrorName } from '../../errors.ts';
import { toJson, toText } from '../../json.ts';
import { looseBoolean, looseFlag, mapped } from './common.ts';
import {
  type FilterInput,
  filterMeta,
  describeFilterFlaw,
  describeTemplatesFlaw,
  isFalsy,
  isObject,
  type TemplateInput,
  templatesMeta,
} from './subscription-filter.ts';
import type { SubscriptionState } from './subscription.ts';

/** A value that passes unchanged or is refused in Rucio's words. A missing key is reported as such. */
function checked<T>(flawOf: (value: unknown) => string | undefined, exception: ErrorName = 'InvalidObject') {
  return z.custom<T>((value) => value === undefined || flawOf(value) === undefined, {
    error: ({ input }) => flawOf(input) ?? '',
    params: { exception },
  });
}

/** A member of a change; a value that is falsy in Python changes nothing (spec/access.md 3.4). */
function changing<S extends z.ZodMiniType>(schema: S) {
  return z.optional(
    z.pipe(
      z.transform((value) => (isFalsy(value) ? undefined : value)),
      z.optional(schema),
    ),
  );
}

const filter = checked<FilterInput>(describeFilterFlaw).check(z.meta(filterMeta));
const templates = checked<readonly TemplateInput[]>(describeTemplatesFlaw).check(z.meta(templatesMeta));

const comments = checked<string | null>((value) => {
  if (value !== null && typeof value !== 'string') return 'comments should be a text';
  return (value?.length ?? 0) <= 4000 ? undefined : 'comments should have at most 4000 characters';
}).check(z.meta({ type: ['string', 'null'], maxLength: 4000 }));

/** A number of days from now, with a result between the years 0 and 10,000. */
const isDays = (days: unknown): days is number => typeof days === 'number' && days > -730_000 && days < 2_900_000;

/** `true` is one day; numeric text is accepted only if `texts` is true. */
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

const minPriority = -32_768;
const maxPriority = 32_767;

const toPriority = (value: unknown) =>
  typeof value === 'string' && /^\s*[+-]?\d{1,6}\s*$/.test(value) ? Number(value) : value;

const isPriority = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= minPriority && (value as number) <= maxPriority;

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
    z.meta({
      type: ['integer', 'null'],
      minimum: minPriority,
      maximum: maxPriority,
      description: 'The lowest value has the highest priority',
    }),
  );

/** An object with required keys. */
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

/** The states by the letters that a change may contain. */
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
        value === null || stateByLetter.has(value) ? undefined : `Invalid subscription state: ${toText(value)}`,
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

/** Body of the change of a subscription: the given members are replaced (spec/access.md 3.4). */
export const subscriptionChange = z.object({
  options: z.object({
    filter: changing(filter),
    replication_rules: changing(templates),
    comments: changing(comments),
    lifetime: z.optional(lifetime({ texts: true })),
    retroactive: changing(looseBoolean('retroactive')),
    priority,
    state,
    // Rucio ignores it here, so any value is accepted.
    dry_run: z
      .optional(mapped(z.unknown(), (value) => (typeof value === 'boolean' ? value : undefined)))
      .check(z.meta({ description: '`false`: from now on its rules are created; other types have no effect' })),
  }),
});
export type SubscriptionChange = z.output<typeof subscriptionChange>['options'];
