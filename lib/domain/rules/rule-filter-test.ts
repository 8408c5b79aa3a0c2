import type { RuleFilters } from '../../contract/schemas/rule-filters.ts';
import type { Rule } from '../../store/entities/rule.ts';
import { parseDate } from '../../time.ts';
import { matchesGlob, readGlob } from '../values/glob.ts';
import { describeRule, type RuleRecord } from './describe-rule.ts';

/** Whether a rule passes a filter. */
export type RuleTest = (rule: Rule, record: RuleRecord) => boolean;

/** The filters that are not mere equality. */
const comparisons: { readonly [K in keyof RuleFilters]?: (value: NonNullable<RuleFilters[K]>) => RuleTest } = {
  account: (pattern) => {
    const glob = readGlob(pattern, /\*/);
    return ({ account }) => matchesGlob(account, glob);
  },
  scope: (pattern) => {
    const glob = readGlob(pattern, /\*/);
    return ({ did }) => matchesGlob(did.scope, glob);
  },
  created_before: (time) => (rule) => rule.createdAt <= time,
  created_after: (time) => (rule) => rule.createdAt >= time,
  updated_before: (time) => (rule) => rule.updatedAt <= time,
  updated_after: (time) => (rule) => rule.updatedAt >= time,
};

/** Makes the test for all filters (spec/replication.md 2.1). */
export function makeRuleTest(filters: RuleFilters): (rule: Rule) => boolean {
  const tests = Object.entries(filters).map(([key, value]) => testOf(key as keyof RuleFilters, value));
  return (rule) => {
    const record = describeRule(rule, undefined);
    return tests.every((test) => test(rule, record));
  };
}

function testOf<K extends keyof RuleFilters>(key: K, value: RuleFilters[K]): RuleTest {
  if (value === undefined) return () => true;
  const test = comparisons[key];
  if (test !== undefined) return test(value);
  if (key.endsWith('_at')) return (_rule, record) => isSameSecond(record[key as 'expires_at'], Number(value));
  return (_rule, record) => record[key as keyof RuleRecord] === value;
}

/** The wire form of a date has whole seconds. */
function isSameSecond(shown: string | null, value: number): boolean {
  return shown !== null && parseDate(shown) === value - (value % 1_000);
}
