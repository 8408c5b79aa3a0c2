import { RucioError } from '../../errors.ts';
import { changeRule, changeRuleOwner, requireSettledRule } from '../../store/entities/rule-writes.ts';
import type { Rule } from '../../store/entities/rule.ts';
import { insertWork } from '../../store/entities/work.ts';
import type { Write } from '../../store/items/plan.ts';
import { findEndTime, scheduleEnd } from './life-cycle/rule-end.ts';
import { duplicateRule } from './new-rule.ts';

/**
 * The writes that change a rule into another version of it, with the tasks that follow; none if both are equal.
 *
 * @param added What changed locks add to its counters; `before` and `after` do not include it.
 */
export function patchRule(
  before: Rule,
  after: Rule,
  now: number,
  added: Readonly<Record<string, number>> = {},
): Write[] {
  const members = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...members].filter((key) => before[key as keyof Rule] !== after[key as keyof Rule]);
  if (changed.length === 0 && Object.keys(added).length === 0) return [];
  const entries = changed.map((key) => [key, after[key as keyof Rule]] as const);
  const patch = {
    set: { ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)), updatedAt: now },
    remove: entries.filter(([, value]) => value === undefined).map(([key]) => key),
    add: added,
  };
  return [
    ...(before.account === after.account
      ? [changeRule(before.id, patch, { when: requireSettledRule(before) })]
      : [
          ...changeRuleOwner(before, after.account, patch, () => new RucioError('DuplicateRule', duplicateRule)),
          insertWork({ kind: 'charge', ruleId: before.id }, now),
        ]),
    ...(findEndTime(before) === findEndTime(after) ? [] : scheduleEnd(after, now)),
  ];
}
