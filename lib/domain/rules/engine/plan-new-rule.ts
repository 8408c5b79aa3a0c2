import { insertRule } from '../../../store/entities/rule-writes.ts';
import type { NewRule, Rule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Write } from '../../../store/items/plan.ts';
import { scheduleRepair } from '../../locks/rule-errors.ts';
import { scheduleEnd } from '../life-cycle/rule-end.ts';

/**
 * The writes that create a rule, with its tasks: place it once it is accepted and due, repair it if it is stuck, and
 * remove it when it expires.
 *
 * @param now In milliseconds since 1970.
 * @param predecessor See {@link insertRule}.
 */
export function planNewRule(rule: NewRule, onDuplicate: () => Error, now: number, predecessor?: Rule): Write[] {
  const { id, status, createdAt, stuck } = rule;
  return [
    ...insertRule(rule, onDuplicate, predecessor),
    ...(status === 'INJECT' ? [insertWork({ kind: 'inject', ruleId: id }, Math.max(createdAt, now))] : []),
    ...(stuck > 0 || status === 'FAILED' ? [scheduleRepair(id, now)] : []),
    ...scheduleEnd(rule, now),
  ];
}
