import { insertRule, type NewRule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Write } from '../../../store/items/plan.ts';
import { stuckFor } from '../../locks/verdict.ts';
import { noteEnd } from '../life-cycle/expiry.ts';

/**
 * The writes that make a rule, with the notes of what is to be done about it: to place it, when it has been accepted and
 * its time has come, to try again what is stuck, and to remove it when it expires.
 *
 * @param now In milliseconds since 1970.
 */
export function makeRule(rule: NewRule, onDuplicate: () => Error, now: number): Write[] {
  const { id, status, createdAt, stuck } = rule;
  return [
    ...insertRule(rule, onDuplicate),
    ...(status === 'INJECT' ? [insertWork({ kind: 'inject', ruleId: id }, Math.max(createdAt, now))] : []),
    ...(stuck > 0 || status === 'FAILED' ? [stuckFor(id, now)] : []),
    ...noteEnd(rule, now),
  ];
}
