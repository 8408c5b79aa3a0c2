import type { RuleStateName } from '../../../lib/contract/schemas/states.ts';
import { ruleStateNames } from '../../../lib/contract/schemas/states.ts';
import { defined } from '../../../lib/defined.ts';
import { repairDelayMs } from '../../../lib/domain/locks/rule-errors.ts';
import { findEndTime } from '../../../lib/domain/rules/life-cycle/rule-end.ts';
import { isValidDid } from '../../../lib/domain/values/did-names.ts';
import { stateOfRule } from '../../../lib/domain/values/rule-state.ts';
import { insertDatasetLock } from '../../../lib/store/entities/dataset-lock.ts';
import { insertPastRule } from '../../../lib/store/entities/past-rule.ts';
import { insertRule } from '../../../lib/store/entities/rule-writes.ts';
import type { NewRule, RuleStatus } from '../../../lib/store/entities/rule.ts';
import { insertWork, type Task } from '../../../lib/store/entities/work.ts';
import type { Insert } from '../../../lib/store/items/plan.ts';
import type { Row, Rows } from '../../rucio/relations.ts';
import { type Batch, derivedId, leftOut } from '../batch.ts';
import type { ImportContext } from '../import-context.ts';
import { makeRaceError } from '../race.ts';
import { section } from '../section.ts';
import { readType } from './did-parts.ts';

/** The sections of rules, their dataset locks and their past. */
export const ruleSections = [
  section({
    name: 'rules',
    drives: 'rules',
    needsSums: true,
    rowsPerRange: 1_000,
    reads: { rules: ['id'], lock_counts: ['rule_id'], awaited_rules: ['child_rule_id'], rule_rses: ['rule_id'] },
    convert: (rows, batch, context) => {
      const parts = groupRows(rows);
      for (const row of rows.rules) takeRule(row, parts, batch, context);
    },
  }),
  section({
    name: 'dataset-locks',
    drives: 'dataset_locks',
    rowsPerRange: 5_000,
    reads: { dataset_locks: ['scope', 'name', 'rule_id', 'rse_id'] },
    convert: ({ dataset_locks: locks }, batch) => {
      for (const { scope, name, rule_id: ruleId, rse_id: rseId, created_at: createdAt } of locks) {
        if (!isValidDid({ scope, name })) {
          batch.note('dataset_locks', [scope, name, ruleId, rseId], refusedName, leftOut);
          continue;
        }
        batch.add(insertDatasetLock({ did: { scope, name }, ruleId, rseId, createdAt }));
      }
    },
  }),
  section({
    name: 'rules-history',
    drives: 'rules_hist_recent',
    rowsPerRange: 5_000,
    reads: { rules_hist_recent: ['scope', 'name', 'id'] },
    convert: ({ rules_hist_recent: past }, batch) => {
      for (const row of past) takePastRule(row, batch);
    },
  }),
];

const refusedName = 'Dapple has no DIDs of such names';

type RuleRelation = 'rules' | 'lock_counts' | 'awaited_rules' | 'rule_rses';

function groupRows(rows: Rows<RuleRelation>) {
  return {
    counts: Map.groupBy(rows.lock_counts, ({ rule_id: id }) => id),
    awaited: new Set(rows.awaited_rules.map(({ child_rule_id: id }) => id)),
    rses: Map.groupBy(rows.rule_rses, ({ rule_id: id }) => id),
  };
}

type RuleParts = ReturnType<typeof groupRows>;

const groupings = { A: 'ALL', D: 'DATASET', N: 'NONE' } as const;
const notifications = { Y: 'YES', N: 'NO', C: 'CLOSE', P: 'PROGRESS' } as const;
const statuses: Readonly<Record<string, RuleStatus>> = { U: 'SUSPENDED', W: 'WAITING_APPROVAL', I: 'INJECT' };

function takeRule(row: Row<'rules'>, parts: RuleParts, batch: Batch, context: ImportContext): void {
  const { id, scope, name, subscription_id: subscriptionId } = row;
  const didType = readType(row.did_type);
  if (didType === undefined || !isValidDid({ scope, name })) {
    batch.note('rules', [id], `Dapple has no DIDs of such names or types: ${scope}:${name}`, leftOut);
    return;
  }
  const rule = makeRule(row, { didType, parts, context });
  const state = stateOfRule(rule);
  const stated = nameOfState(row.state);
  if (stated !== state)
    batch.note('rules', [id], `its state is ${stated ?? row.state}, its locks make it ${state}`, `taken as ${state}`);
  const counted = subscriptionId === null ? rule : { ...rule, countedAs: state };
  if (!batch.take('rules', [id], () => insertRule(counted, makeRaceError))) return;
  if (subscriptionId !== null) batch.sums.add(['rules', subscriptionId, state], 1);
  batch.add(...scheduleTasks(rule, context.now));
}

function makeRule(
  row: Row<'rules'>,
  { didType, parts, context }: { didType: NewRule['didType']; parts: RuleParts; context: ImportContext },
): NewRule {
  const { id } = row;
  const counts = parts.counts.get(id) ?? [];
  const count = (letter: string) =>
    Math.max(0, (counts.find(({ state }) => state === letter)?.locks ?? 0) + leftOutLocks(id, letter, context));
  const locks = { ok: count('O'), replicating: count('R'), stuck: count('S') };
  const status = statuses[row.state] ?? (row.state === 'S' && locks.stuck === 0 ? 'FAILED' : 'ACTIVE');
  const hasLocks = locks.ok + locks.replicating + locks.stuck > 0;
  const rseIds = (parts.rses.get(id) ?? []).map(({ rse_id: rseId }) => rseId);
  const grouping = groupings[row.grouping as keyof typeof groupings] ?? 'DATASET';
  const isOneUnit = didType !== 'FILE' && (grouping === 'ALL' || (grouping === 'DATASET' && didType === 'DATASET'));
  return {
    id,
    did: { scope: row.scope, name: row.name },
    didType,
    grouping,
    status,
    ...locks,
    account: row.account,
    rseExpression: row.rse_expression,
    copies: row.copies,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    activity: row.activity ?? 'default',
    notification: notifications[(row.notification ?? 'N') as keyof typeof notifications] ?? 'NO',
    priority: row.priority ?? 3,
    ...defined({
      expiresAt: row.expires_at ?? undefined,
      stuckAt: row.stuck_at ?? undefined,
      eolAt: row.eol_at ?? undefined,
      error: row.error ?? undefined,
      weight: row.weight ?? undefined,
      locked: row.locked ? true : undefined,
      subscriptionId: row.subscription_id ?? undefined,
      sourceReplicaExpression: row.source_replica_expression ?? undefined,
      purgeReplicas: row.purge_replicas === true ? true : undefined,
      ignoreAvailability: row.ignore_availability === true ? true : undefined,
      ignoreAccountLimit: row.ignore_account_limit === true ? true : undefined,
      comments: row.comments ?? undefined,
      childRuleId: row.child_rule_id ?? undefined,
      awaited: parts.awaited.has(id) ? true : undefined,
      splitContainer: row.split_container === true ? true : undefined,
      meta: row.meta ?? undefined,
      rseIds: isOneUnit && rseIds.length >= row.copies ? rseIds : undefined,
      injecting: status === 'INJECT' && hasLocks ? true : undefined,
    }),
  };
}

function leftOutLocks(id: string, letter: string, { sums }: ImportContext): number {
  return Number(sums.get(['lock', id, letter]).count);
}

function nameOfState(letter: string): RuleStateName | undefined {
  return Object.hasOwn(ruleStateNames, letter) ? ruleStateNames[letter as keyof typeof ruleStateNames] : undefined;
}

/** The tasks that a rule has waiting: to be placed, repaired, removed. They begin once a server runs. */
function scheduleTasks(rule: NewRule, now: number): Insert[] {
  const { id, status, createdAt, stuck } = rule;
  const schedule = (kind: 'inject' | 'repair' | 'remove', due: number) => {
    const task: Task = { kind, ruleId: id };
    return insertWork(task, due, derivedId(16, kind, id));
  };
  const end = findEndTime(rule);
  return [
    ...(status === 'INJECT' ? [schedule('inject', Math.max(createdAt, now))] : []),
    ...((status === 'ACTIVE' && stuck > 0) || status === 'FAILED'
      ? [schedule('repair', now + repairDelayMs.first)]
      : []),
    ...(end === undefined ? [] : [schedule('remove', Math.max(end, now))]),
  ];
}

function takePastRule(row: Row<'rules_hist_recent'>, batch: Batch): void {
  const { id, scope, name } = row;
  if (!isValidDid({ scope, name })) {
    batch.note('rules_hist_recent', [id], refusedName, leftOut);
    return;
  }
  batch.take('rules_hist_recent', [id], () => [
    insertPastRule(
      { scope, name },
      {
        id,
        account: row.account,
        rseExpression: row.rse_expression,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        state: nameOfState(row.state) ?? row.state,
        ok: row.locks_ok_cnt ?? 0,
        replicating: row.locks_replicating_cnt ?? 0,
        stuck: row.locks_stuck_cnt ?? 0,
        endedAt: row.deleted_at ?? row.updated_at,
      },
    ),
  ]);
}
