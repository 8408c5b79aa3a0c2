import { isDeepStrictEqual } from 'node:util';

import type { Rule } from '../../store/entities/rule.ts';
import type { ChangeOf } from '../../store/stream/change.ts';
import { describeRule } from '../rules/describe-rule.ts';
import { draftDidEvent, type EventDraft } from './draft-event.ts';
import type { EventFacts } from './event-facts.ts';

/** A rule was created, changed (counts of its locks included), or deleted. */
export function eventsOfRule({ before, after }: ChangeOf<'rule'>): EventDraft[] {
  if (after === undefined) {
    if (before === undefined) return [];
    const { id: rule_id, account, rseExpression: rse_expression, copies } = before;
    return [draftDidEvent('DELETE_RULE', before.did, { rule_id, account, rse_expression, copies })];
  }
  if (before === undefined) return [draftDidEvent('CREATE_RULE', after.did, describe(after))];
  const withoutDate = (rule: Rule) => ({ ...describe(rule), updated_at: null });
  const unchanged = isDeepStrictEqual(withoutDate(before), withoutDate(after));
  return unchanged ? [] : [draftDidEvent('UPDATE_RULE', after.did, describe(after))];
}

/** As `GET /rules/{id}` shows it, without the size of its DID. */
function describe(rule: Rule) {
  const { id, scope: _scope, name: _name, bytes: _bytes, ...record } = describeRule(rule, undefined);
  return { rule_id: id, ...record };
}

/** A rule locked a dataset on an RSE, or released it. */
export function eventsOfDatasetLock({ before, after }: ChangeOf<'datasetLock'>, { rseName }: EventFacts): EventDraft[] {
  const lock = after ?? before;
  if (lock === undefined || (before !== undefined && after !== undefined)) return [];
  const { did, rseId, ruleId } = lock;
  const data = { rse: rseName(rseId), rse_id: rseId, rule_id: ruleId };
  return [draftDidEvent(after === undefined ? 'DELETE_DATASETLOCK' : 'ADD_DATASETLOCK', did, data)];
}
