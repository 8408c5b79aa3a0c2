import { rules } from '../lib/contract/rules.ts';
import { createHandler } from '../lib/http/handler.ts';
import { createdReply } from '../lib/http/respond.ts';
import { addRules } from '../lib/operations/rules/add-rules.ts';
import { analyseRule } from '../lib/operations/rules/analyse-rule.ts';
import { deleteRuleById } from '../lib/operations/rules/delete-rule.ts';
import { showRule } from '../lib/operations/rules/get-rule.ts';
import { listLocksOfRule } from '../lib/operations/rules/list-locks-of-rule.ts';
import { listReplicationRules } from '../lib/operations/rules/list-replication-rules.ts';
import { moveRule } from '../lib/operations/rules/move-rule.ts';
import { reduceRule } from '../lib/operations/rules/reduce-rule.ts';
import { listHistoryOfRule, listRuleHistory } from '../lib/operations/rules/rule-history.ts';
import { updateRule } from '../lib/operations/rules/update-rule.ts';

export const handler = createHandler(rules, {
  addRules: { run: (context, { body }) => addRules(context, body), present: createdReply },
  listReplicationRules: (context, { query, page }) => listReplicationRules(context, query, page),
  getRule: (context, { params }) => showRule(context, params.rule_id),
  updateRule: (context, { params, body }) => updateRule(context, params.rule_id, body.options),
  deleteRule: (context, { params, body }) => deleteRuleById(context, params.rule_id, body.purge_replicas),
  listLocksOfRule: (context, { params, page }) => listLocksOfRule(context, params.rule_id, page),
  analyseRule: (context, { params }) => analyseRule(context, params.rule_id),
  reduceRule: (context, { params, body }) => reduceRule(context, params.rule_id, body),
  moveRule: { run: (context, { params, body }) => moveRule(context, params.rule_id, body), present: createdReply },
  listHistoryOfRule: (context, { params, page }) => listHistoryOfRule(context, params.rule_id, page),
  listRuleHistory: (context, { params, page }) => listRuleHistory(context, params.did, page),
});
