import { rules } from '../lib/contract/rules.ts';
import { addRules } from '../lib/domain/rules/add-rules.ts';
import { analyseRule } from '../lib/domain/rules/analyse-rule.ts';
import { deleteRule } from '../lib/domain/rules/delete-rule.ts';
import { getRule } from '../lib/domain/rules/get-rule.ts';
import { listHistoryOfRule, listRuleHistory } from '../lib/domain/rules/history.ts';
import { listReplicationRules } from '../lib/domain/rules/list-replication-rules.ts';
import { listLocksOfRule } from '../lib/domain/rules/locks-of-rule.ts';
import { moveRule } from '../lib/domain/rules/move-rule.ts';
import { reduceRule } from '../lib/domain/rules/reduce-rule.ts';
import { updateRule } from '../lib/domain/rules/update-rule.ts';
import { createHandler } from '../lib/http/handler.ts';
import { toJson } from '../lib/json.ts';

export const handler = createHandler(rules, {
  addRules: { run: (context, { body }) => addRules(context, body), present: created },
  listReplicationRules: (context, { query, page }) => listReplicationRules(context, query, page),
  getRule: (context, { params }) => getRule(context, params.rule_id),
  updateRule: (context, { params, body }) => updateRule(context, params.rule_id, body.options),
  deleteRule: (context, { params, body }) => deleteRule(context, params.rule_id, body.purge_replicas ?? undefined),
  listLocksOfRule: (context, { params, page }) => listLocksOfRule(context, params.rule_id, page),
  analyseRule: (context, { params }) => analyseRule(context, params.rule_id),
  reduceRule: (context, { params, body }) => reduceRule(context, params.rule_id, body),
  moveRule: { run: (context, { params, body }) => moveRule(context, params.rule_id, body), present: created },
  listHistoryOfRule: (context, { params, page }) => listHistoryOfRule(context, params.rule_id, page),
  listRuleHistory: (context, { params, page }) => listRuleHistory(context, params.did, page),
});

/** A JSON text with the status of a creation. */
function created(value: unknown) {
  return { status: 201, body: toJson(value) };
}
