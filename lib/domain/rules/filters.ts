import type { RuleFilters } from '../../contract/schemas/rule-filters.ts';
import type { Rule } from '../../store/entities/rule.ts';
import { parseDate } from '../../time.ts';
import { fitsGlob, readGlob } from '../values/glob.ts';
import { describeRule, type RuleRecord } from './describe-rule.ts';

/** Whether a rule is what somebody looks for. */
export type RuleTest = (rule: Rule, record: RuleRecord) => boolean;

/** What is compared in another way than by equality. */
const special: { readonly [K in keyof RuleFilters]?: (wanted: NonNullable<RuleFilters[K]>) => RuleTest } = {
  account: (pattern) => {
    const glob = readGlob(pattern, /\*/);
    return ({ account }) => fitsGlob(account, glob);
  },
  scope: (pattern) => {
    const glob = readGlob(pattern, /\*/);
    return ({ did }) => fitsGlob(did.scope, glob);
  },
  created_before: (time) => (rule) => rule.createdAt <= time,
  created_after: (time) => (rule) => rule.createdAt >= time,
  updated_before: (time) => (rule) => rule.updatedAt <= time,
  updated_after: (time) => (rule) => rule.updatedAt >= time,
};

/** The test that rules have to pass (spec/replication.md 2.1). */
export function readFilters(filters: RuleFilters): (rule: Rule) => boolean {
  const tests = Object.entries(filters).map(([key, wanted]) => testOf(key as keyof RuleFilters, wanted));
  return (rule) => {
    const record = describeRule(rule, undefined);
    return tests.every((test) => test(rule, record));
  };
}

function testOf<K extends keyof RuleFilters>(key: K, wanted: RuleFilters[K]): RuleTest {
  if (wanted === undefined) return () => true;
  const test = special[key];
  if (test !== undefined) return test(wanted);
  if (key.endsWith('_at')) return (_rule, record) => isSameSecond(record[key as 'expires_at'], Number(wanted));
  return (_rule, record) => record[key as keyof RuleRecord] === wanted;
}

/** Dates are shown without what is less than a second. */
function isSameSecond(shown: string | null, wanted: number): boolean {
  return shown !== null && parseDate(shown) === wanted - (wanted % 1_000);
}
