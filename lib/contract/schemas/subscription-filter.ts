import * as z from 'zod/mini';

import { accountName, describeNoActivity } from './names.ts';

import policy from '#policy';

/** The conditions that data must meet, all of them; unlisted keys are columns of DIDs (spec/access.md 3.7). */
export type FilterInput = Readonly<Record<string, unknown>>;

/** A rule that a subscription creates for matching data, with the keys of spec/access.md 3.8. */
export type TemplateInput = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is falsy in Python: Rucio treats it as absent. */
export const isFalsy = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length === 0
    : [undefined, null, false, 0, ''].includes(value as undefined);

const list = z.array(z.unknown());
const text = z.string();

/** The keys of a filter that are validated before it is stored. */
const filterKeys = new Map<string, z.ZodMiniType>([
  ['scope', list],
  ['project', list],
  ['datatype', list],
  ['prod_step', list],
  ['stream_name', list],
  ['account', z.array(accountName).check(z.maxLength(1000))],
  ['pattern', text],
  ['excluded_pattern', text],
  ['group', text],
  ['provenance', text],
  ['grouping', text],
  ['split_rule', z.boolean()],
]);

/** Why a value is not a valid filter, in Rucio's words; undefined if it is valid (spec/access.md 3.3). */
export function describeFilterFlaw(value: unknown): string | undefined {
  if (!isObject(value)) return 'filter should be a dict';
  for (const [key, member] of Object.entries(value)) {
    const [issue] = filterKeys.get(key)?.safeParse(member, { reportInput: true }).error?.issues ?? [];
    if (issue !== undefined) {
      return `Problem validating subscription_filter: ${issue.message} at ${[key, ...issue.path].join('.')}`;
    }
  }
  return undefined;
}

/**
 * Why a value is not a valid list of rules, in Rucio's words; undefined if it is valid. Only the activity of a rule is
 * checked, which may be absent (spec/access.md 3.3).
 */
export function describeTemplatesFlaw(value: unknown): string | undefined {
  if (isFalsy(value)) return 'You must specify a rule';
  if (!Array.isArray(value)) return 'replication_rules should be a list';
  if (!value.every(isObject)) return 'replication_rules should be a list of dicts';
  const given = value.map(({ activity }) => activity).filter((activity) => !isFalsy(activity));
  const bad = given.find((activity) => !policy.activities.some((name) => name === activity));
  if (bad === undefined) return undefined;
  return `Problem validating activity: ${describeNoActivity(bad)}`;
}

/** Both schemas for the documentation. */
export const filterMeta = {
  type: 'object',
  description: 'Conditions that data must meet, all of them; further keys are metadata',
  properties: Object.fromEntries(
    Array.from(filterKeys, ([key, schema]) => [
      key,
      { type: schema instanceof z.ZodMiniArray ? 'array' : schema.type },
    ]),
  ),
} as const;
export const templatesMeta = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    properties: {
      rse_expression: { type: 'string' },
      copies: { type: ['integer', 'string'] },
      activity: { type: 'string', enum: policy.activities },
      lifetime: { type: 'integer', description: 'In seconds' },
    },
  },
  description: 'The rules that are created for matching data',
} as const;
