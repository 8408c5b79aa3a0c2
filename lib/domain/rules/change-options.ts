import type { RuleOptions } from '../../contract/schemas/rule-requests.ts';
import { fail } from '../../errors.ts';
import { toJson } from '../../json.ts';
import type { Table } from '../../store/batches/table.ts';
import { changeRule, requireSettledRule } from '../../store/entities/rule-writes.ts';
import { getRule, type Rule } from '../../store/entities/rule.ts';
import { insertWork, type Task } from '../../store/entities/work.ts';
import type { Write } from '../../store/items/plan.ts';
import { parseDate } from '../../time.ts';
import { requireAccount } from '../accounts/find-account.ts';
import { resolveIfPossible } from '../rse-expression/resolve-expression.ts';
import { formatDid } from '../values/format-did.ts';
import { endInTime, findLongestLife } from '../values/longest-life.ts';
import { stateOfRule } from '../values/rule-state.ts';
import { requireLifetime } from './engine/check-terms.ts';
import { failRuleNotFound } from './find-rule.ts';
import { type MarkedLocks, planMarkedLocks } from './life-cycle/mark-locks-stuck.ts';

/** The result of a change of options. */
export interface RuleChange {
  readonly rule: Rule;
  /** Amounts that changed locks add to the counters of the rule, which does not include them. */
  readonly counters?: Readonly<Record<string, number>>;
  /** Further writes. */
  readonly writes: readonly Write[];
}

/** Delay before a rule that was declared stuck is repaired (spec/replication.md 3.9). */
const declaredStuckDelayMs = 1_800_000;

/**
 * Applies options to a rule (spec/replication.md 2.4).
 *
 * @throws AccountNotFound, RuleNotFound (404) for an unknown account or child rule; StagingAreaRuleRequiresLifetime (409) for a
 *   rule that lost its end; InputValidationError (409) for an unsuitable child rule; InvalidObject (400) for a malformed date.
 */
export async function changeOptions(latest: Table, rule: Rule, options: RuleOptions, now: number): Promise<RuleChange> {
  if (options.account !== undefined) await requireAccount(latest, options.account);
  const childChange = await changeChild(latest, rule, options.child_rule_id);
  const stateChange = await changeState(latest, childChange.rule, options, now);
  const { comment, source_replica_expression: source, eol_at: endOfLife, lifetime, meta } = options;
  const changes: Partial<Record<keyof Rule, unknown>> = {
    ...(lifetime === undefined ? {} : { expiresAt: lifetime === null ? undefined : now + lifetime * 1_000 }),
    ...(comment === undefined ? {} : { comments: comment ?? undefined }),
    ...(options.locked === undefined ? {} : { locked: options.locked || undefined }),
    ...(options.account === undefined ? {} : { account: options.account }),
    ...(options.activity === undefined ? {} : { activity: options.activity }),
    ...(source === undefined ? {} : { sourceReplicaExpression: source ?? undefined }),
    ...(options.priority === undefined ? {} : { priority: options.priority }),
    ...(endOfLife === undefined ? {} : { eolAt: endOfLife === null ? undefined : readDate(endOfLife) }),
    ...(meta === undefined ? {} : { meta: toShortJson(meta) }),
    ...(options.purge_replicas === undefined ? {} : { purgeReplicas: options.purge_replicas || undefined }),
  };
  const wished = { ...stateChange.rule, ...changes } as Rule;
  const changed = wished.expiresAt === rule.expiresAt ? wished : await endAsAllowed(latest, wished, now);
  return {
    rule: changed,
    counters: stateChange.counters ?? {},
    writes: [...childChange.writes, ...stateChange.writes],
  };
}

/** A rule with another end than before. @throws StagingAreaRuleRequiresLifetime (409) without one where it must have one. */
async function endAsAllowed(latest: Table, rule: Rule, now: number): Promise<Rule> {
  const rses = await resolveIfPossible(latest, rule.rseExpression);
  const ending = endInTime(rule, findLongestLife(rses), now);
  requireLifetime(rses, ending);
  return ending;
}

/** Makes a rule wait for another one on the same DID, or ends its waiting. */
async function changeChild(latest: Table, rule: Rule, childId: string | null | undefined): Promise<RuleChange> {
  if (childId === undefined) return { rule, writes: [] };
  const { childRuleId, expiresAt: _over, ...free } = rule;
  if (childId === null) {
    if (childRuleId === undefined) {
      fail('InputValidationError', 'Cannot detach child when no such relationship exists');
    }
    return { rule: free, writes: [] };
  }
  const child = await getRule(latest, childId);
  if (child === undefined || child.removing === true) failRuleNotFound(childId);
  requireSameDid(rule, child);
  if (child.id === rule.id) fail('InputValidationError', 'Self-referencing parent/child-relationship.');
  if (stateOfRule(child) === 'OK') return { rule, writes: [] };
  // This change of the child ensures that it becomes OK only afterwards, and that the stream then reports it.
  const awaited = changeRule(child.id, { set: { awaited: true } }, { when: requireSettledRule(child) });
  return { rule: { ...rule, childRuleId: child.id }, writes: [awaited] };
}

/** @throws InputValidationError (409) if the rules are on different DIDs, so that one cannot wait for the other. */
export function requireSameDid(parent: Pick<Rule, 'did'>, child: Pick<Rule, 'did'>): void {
  if (formatDid(child.did) !== formatDid(parent.did)) {
    fail('InputValidationError', 'Parent and child rule must be set on the same dataset.');
  }
}

type DueTask = readonly [task: Task, due: number];

/** Declares a rule stuck or suspended; other states are ignored. A rule that waits for approval keeps waiting. */
async function changeState(latest: Table, rule: Rule, options: RuleOptions, now: number): Promise<RuleChange> {
  const { state = '', cancel_requests: cancels } = options;
  const boosts = Object.hasOwn(options, 'boost_rule');
  if (state === '' || rule.status === 'WAITING_APPROVAL') {
    return { rule, writes: insertTasks(boosts ? [repair(rule.id, now)] : []) };
  }
  const newState = state.toLowerCase();
  const isStuck = newState === 'stuck';
  const marksLocks = rule.replicating > 0 && (isStuck || cancels === true);
  // Content may lack locks, which only the repair adds: it is needed even if all stuck locks end before it.
  const isIncomplete = rule.status !== 'ACTIVE';
  const wish = { ruleId: rule.id, ...(cancels === true ? { cancels } : {}) };
  const marked = marksLocks ? await planMarkedLocks(latest.latest(), rule, wish, now) : noMarkedLocks;
  // Only stuck locks can be repaired: mark them first.
  const markTask: Task = {
    kind: 'stick',
    ...wish,
    ...(marksLocks && boosts ? { repairs: true } : {}),
    ...(isIncomplete ? { isIncomplete } : {}),
  };
  const tasks: DueTask[] = [
    ...(marked === undefined ? [[markTask, now] as const] : []),
    ...(isStuck ? [repairLater(rule.id, now)] : []),
    ...(boosts && marked !== undefined ? [repair(rule.id, now)] : []),
  ];
  const { counters = {}, writes = [] } = marked ?? {};
  const change = { rule, counters, writes: [...writes, ...insertTasks(tasks)] };
  if (newState === 'suspended') return { ...change, rule: { ...rule, status: 'SUSPENDED' } };
  if (!isStuck) return change;
  // With stuck locks and no REPLICATING ones, the counters alone make the rule stuck.
  const isStuckByLocks = !isIncomplete && marked !== undefined && rule.stuck + (counters['stuck'] ?? 0) > 0;
  return { ...change, rule: { ...rule, status: isStuckByLocks ? 'ACTIVE' : 'FAILED', stuckAt: now } };
}

const noMarkedLocks: MarkedLocks = { writes: [], counters: {} };

const insertTasks = (tasks: readonly DueTask[]): Write[] => tasks.map(([task, due]) => insertWork(task, due));

const repair = (ruleId: string, due: number): DueTask => [{ kind: 'repair', ruleId }, due];
const repairLater = (ruleId: string, now: number): DueTask => repair(ruleId, now + declaredStuckDelayMs);

/** The length of Rucio's column. */
const maxMetaLength = 4_000;

function toShortJson(meta: unknown): string {
  const json = toJson(meta);
  if ((typeof meta === 'string' ? meta : json).length <= maxMetaLength) return json;
  return fail('InvalidObject', `Problem validating rule: meta is longer than ${maxMetaLength} characters`);
}

function readDate(text: string): number {
  return parseDate(text) ?? fail('InvalidObject', `Problem validating rule: '${text}' is no date`);
}
