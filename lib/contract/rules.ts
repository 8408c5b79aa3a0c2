import * as z from 'zod/mini';

import { group, type Route } from './route.ts';
import { replicaLock } from './schemas/lock.ts';
import { ruleFilters } from './schemas/rule-filters.ts';
import { newRules, ruleChange, ruleDeletion, ruleMove, ruleReduction } from './schemas/rule-requests.ts';
import { rule, ruleAnalysis, ruleHistoryLine, ruleStateLine } from './schemas/rule.ts';

const json = 'application/json';
const stream = 'application/x-json-stream';
const html = 'text/html; charset=utf-8';

/** 201 with a JSON text; like Rucio under the media type of HTML. */
const created = <const S extends z.ZodMiniType>(description: string, schema: S) =>
  ({ kind: 'text', mediaType: html, replies: { 201: { description, content: { [html]: schema } } } }) as const;

/** Errors of the creation of a rule (spec/replication.md 2.3). */
const ruleErrors = {
  InvalidValueForKey: 400,
  AccessDenied: 401,
  AccountNotFound: 404,
  DataIdentifierNotFound: 404,
  DuplicateRule: 409,
  InsufficientAccountLimit: 409,
  InsufficientTargetRSEs: 409,
  InvalidObject: 409,
  InvalidReplicationRule: 409,
  InvalidRSEExpression: 409,
  InvalidRuleWeight: 409,
  InvalidSourceReplicaExpression: 409,
  ManualRuleApprovalBlocked: 409,
  RSEOverQuota: 409,
  RSEWriteBlocked: 409,
  StagingAreaRuleRequiresLifetime: 409,
} as const satisfies Route['errors'];

/** Errors of an unknown or malformed rule id. */
const unknownRuleErrors = { RucioException: 400, RuleNotFound: 404 } as const satisfies Route['errors'];

/** Replication rules (spec/replication.md 2). */
export const rules = group('rules', ['/rules'], {
  addRules: {
    method: 'POST',
    path: '/rules',
    summary: 'Create a rule for each DID, all or none; answers their ids in the order of the DIDs',
    permission: 'add_rule',
    body: { schema: newRules, json: 'dictionary', name: 'rule' },
    answer: created('The ids of the rules', z.array(z.string())),
    errors: ruleErrors,
  },
  listReplicationRules: {
    method: 'GET',
    path: '/rules',
    summary: 'Rules that pass all filters',
    permission: 'any',
    accept: stream,
    query: ruleFilters,
    pages: true,
    answer: { kind: 'stream', schema: rule },
  },
  getRule: {
    method: 'GET',
    path: '/rules/:rule_id',
    summary: 'A rule',
    permission: 'any',
    resource: 'rule',
    accept: json,
    answer: { kind: 'json', schema: rule },
    errors: unknownRuleErrors,
  },
  updateRule: {
    method: 'PUT',
    path: '/rules/:rule_id',
    summary: 'Change options of a rule, or approve or deny it',
    permission: 'update_rule',
    resource: 'rule',
    body: { schema: ruleChange, json: 'dictionary', name: 'rule' },
    answer: { kind: 'empty' },
    errors: {
      ...ruleErrors,
      ...unknownRuleErrors,
      InvalidObject: 400,
      InputValidationError: 409,
      RuleReplaceFailed: 409,
      UnsupportedOperation: 409,
    },
  },
  deleteRule: {
    method: 'DELETE',
    path: '/rules/:rule_id',
    summary: 'Make a rule expire within an hour',
    permission: 'del_rule',
    resource: 'rule',
    body: { schema: ruleDeletion, json: 'dictionary', name: 'rule', optional: true },
    answer: { kind: 'empty' },
    errors: { ...unknownRuleErrors, AccessDenied: 401, UnsupportedOperation: 409 },
  },
  listLocksOfRule: {
    method: 'GET',
    path: '/rules/:rule_id/locks',
    summary: 'Locks of a rule on replicas of files, by scope and name',
    permission: 'any',
    accept: stream,
    pages: true,
    answer: { kind: 'stream', schema: replicaLock },
    errors: { RucioException: 400 },
  },
  analyseRule: {
    method: 'GET',
    path: '/rules/:rule_id/analysis',
    summary: 'Why a rule is not OK',
    permission: 'any',
    accept: json,
    answer: { kind: 'json', schema: ruleAnalysis },
    errors: unknownRuleErrors,
  },
  reduceRule: {
    method: 'POST',
    path: '/rules/:rule_id/reduce',
    summary: 'Replace a rule by one with fewer copies, at once; answers its id',
    permission: 'reduce_rule',
    resource: 'rule',
    body: { schema: ruleReduction, json: 'dictionary', name: 'rule' },
    answer: { kind: 'json', schema: z.string() },
    errors: { ...ruleErrors, ...unknownRuleErrors, RuleReplaceFailed: 409, UnsupportedOperation: 409 },
  },
  moveRule: {
    method: 'POST',
    path: '/rules/:rule_id/move',
    summary:
      'Create a rule for other RSEs, and delete the present one once the new one is OK; answers the id of the new one',
    permission: 'move_rule',
    resource: 'rule',
    body: { schema: ruleMove, json: 'dictionary', name: 'rule' },
    answer: created('The id of the new rule', z.string()),
    errors: { ...ruleErrors, ...unknownRuleErrors, RuleReplaceFailed: 409, UnsupportedOperation: 409 },
  },
  listHistoryOfRule: {
    method: 'GET',
    path: '/rules/:rule_id/history',
    summary: 'The present state of a rule, as a list',
    permission: 'any',
    accept: stream,
    pages: true,
    answer: { kind: 'stream', schema: ruleStateLine },
    errors: { RucioException: 400 },
  },
  listRuleHistory: {
    method: 'GET',
    path: '/rules/**:scope_name/history',
    summary:
      'Rules that a DID has or had, in order of their creation: a line for the beginning of each, one for its end',
    permission: 'any',
    accept: stream,
    pages: true,
    answer: { kind: 'stream', schema: ruleHistoryLine },
    errors: { DataIdentifierNotFound: 404 },
  },
});
