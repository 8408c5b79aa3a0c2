import type { RuleOptions } from '../../contract/schemas/rule-requests.ts';
import { fail } from '../../errors.ts';
import { toJson } from '../../json.ts';
import type { Table } from '../../store/batches/table.ts';
import { changeRule, getRule, type Rule, settledRule } from '../../store/entities/rule.ts';
import { insertWork, type Task } from '../../store/entities/work.ts';
import type { Write } from '../../store/items/plan.ts';
import { parseDate } from '../../time.ts';
import { requireAccount } from '../accounts/find-account.ts';
import { formatDid } from '../values/format-did.ts';
import { stateOfRule } from '../values/rule-state.ts';
import { failWithoutRule } from './find-rule.ts';

/** What a change of options makes of a rule. */
export interface Changed {
  readonly rule: Rule;
  /** What is to be written besides. */
  readonly writes: readonly Write[];
}

/** After how long a rule that was declared stuck is looked at again, in milliseconds (spec/replication.md 3.9). */
const untilRepair = 1_800_000;

/**
 * A rule with other options (spec/replication.md 2.4).
 *
 * @throws AccountNotFound, RuleNotFound (404) for an account or a child that there is not; InputValidationError (409) for
 *   a child that cannot be one; InvalidObject (400) for what is no date.
 */
export async function changeOptions(latest: Table, rule: Rule, options: RuleOptions, now: number): Promise<Changed> {
  if (options.account !== undefined) await requireAccount(latest, options.account);
  const related = await relate(latest, rule, options.child_rule_id);
  const stated = declare(related.rule, options, now);
  const { comment, source_replica_expression: source, eol_at: end, lifetime, meta } = options;
  const changes: Partial<Record<keyof Rule, unknown>> = {
    ...(lifetime === undefined ? {} : { expiresAt: lifetime === null ? undefined : now + lifetime * 1_000 }),
    ...(comment === undefined ? {} : { comments: comment ?? undefined }),
    ...(options.locked === undefined ? {} : { locked: options.locked || undefined }),
    ...(options.account === undefined ? {} : { account: options.account }),
    ...(options.activity === undefined ? {} : { activity: options.activity }),
    ...(source === undefined ? {} : { sourceReplicaExpression: source ?? undefined }),
    ...(options.priority === undefined ? {} : { priority: options.priority }),
    ...(end === undefined ? {} : { eolAt: end === null ? undefined : readDate(end) }),
    ...(meta === undefined ? {} : { meta: toJson(meta) }),
    ...(options.purge_replicas === undefined ? {} : { purgeReplicas: options.purge_replicas || undefined }),
  };
  return {
    rule: { ...stated.rule, ...changes } as Rule,
    writes: [...related.writes, ...stated.tasks.map(([task, due]) => insertWork(task, due))],
  };
}

/** Lets a rule wait for another one on the same DID, or wait no more. */
async function relate(latest: Table, rule: Rule, childId: string | null | undefined): Promise<Changed> {
  if (childId === undefined) return { rule, writes: [] };
  const { childRuleId, expiresAt: _over, ...free } = rule;
  if (childId === null) {
    if (childRuleId === undefined) {
      fail('InputValidationError', 'Cannot detach child when no such relationship exists');
    }
    return { rule: free, writes: [] };
  }
  const child = await getRule(latest, childId);
  if (child === undefined || child.removing === true) failWithoutRule(childId);
  requireSameDid(rule, child);
  if (child.id === rule.id) fail('InputValidationError', 'Self-referencing parent/child-relationship.');
  if (stateOfRule(child) === 'OK') return { rule, writes: [] };
  // The change of the child makes sure that it becomes OK after this, and that somebody is told of it.
  const awaited = changeRule(child.id, { set: { awaited: true } }, { when: settledRule(child) });
  return { rule: { ...rule, childRuleId: child.id }, writes: [awaited] };
}

/** @throws InputValidationError (409) where a rule cannot wait for another one, since they are on two DIDs. */
export function requireSameDid(parent: Pick<Rule, 'did'>, child: Pick<Rule, 'did'>): void {
  if (formatDid(child.did) !== formatDid(parent.did)) {
    fail('InputValidationError', 'Parent and child rule must be set on the same dataset.');
  }
}

type DueTask = readonly [task: Task, due: number];

/** Declares a rule stuck or suspended; other words mean nothing. One that waits for approval goes on waiting. */
function declare(
  rule: Rule,
  options: RuleOptions,
  now: number,
): { readonly rule: Rule; readonly tasks: readonly DueTask[] } {
  const { state = '', cancel_requests: cancels } = options;
  const boosts = Object.hasOwn(options, 'boost_rule');
  if (state === '' || rule.status === 'WAITING_APPROVAL') return { rule, tasks: boosts ? [repair(rule.id, now)] : [] };
  const word = state.toLowerCase();
  const isStuck = word === 'stuck';
  const mustStick = rule.replicating > 0 && (isStuck || cancels === true);
  const stick: Task = {
    kind: 'stick',
    ruleId: rule.id,
    ...(cancels === true ? { cancels } : {}),
    // What is to be repaired must be stuck before.
    ...(mustStick && boosts ? { repairs: true } : {}),
  };
  const tasks: DueTask[] = [
    ...(mustStick ? [[stick, now] as const] : []),
    ...(isStuck ? [later(rule.id, now)] : []),
    ...(boosts && !mustStick ? [repair(rule.id, now)] : []),
  ];
  if (word === 'suspended') return { rule: { ...rule, status: 'SUSPENDED' }, tasks };
  if (!isStuck) return { rule, tasks };
  // With nothing but stuck locks it is stuck because of them.
  const follows = rule.stuck > 0 && !mustStick;
  return { rule: { ...rule, status: follows ? 'ACTIVE' : 'FAILED', stuckAt: now }, tasks };
}

const repair = (ruleId: string, due: number): DueTask => [{ kind: 'repair', ruleId }, due];
const later = (ruleId: string, now: number): DueTask => repair(ruleId, now + untilRepair);

function readDate(text: string): number {
  return parseDate(text) ?? fail('InvalidObject', `Problem validating rule: '${text}' is no date`);
}
