import { defined } from '../../../defined.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type Did, getDid, touchDid } from '../../../store/entities/did.ts';
import { getRules, listRuleIds, type NewRule, type Rule } from '../../../store/entities/rule.ts';
import { LostRace, type Write } from '../../../store/items/plan.ts';
import { type ContentPosition, getStartPosition } from '../../did-graph/content-walk.ts';
import { formatDid } from '../../values/format-did.ts';
import { newId } from '../../values/ids.ts';
import type { TaskStep } from '../../values/worker.ts';
import { planRemoval } from '../life-cycle/remove-rule.ts';
import { ContentCursor } from './content-cursor.ts';
import { planUnchangedCheck } from './did-checks.ts';
import { planNewRule } from './plan-new-rule.ts';

/** The most datasets that get a rule in one step. */
const datasetsPerStep = 90;

interface SplitTask {
  readonly rule: Rule;
  readonly position: unknown;
  readonly now: number;
  /** Whether the step was planned before and met a conflict. */
  readonly isRetry: boolean;
}

/**
 * Creates a rule for each dataset below a container, unless the dataset has one with the same account and expression.
 * The last step removes the rule on the container (spec/replication.md 3.4).
 */
export async function splitRule(table: Table, { rule, position, now, isRetry }: SplitTask): Promise<TaskStep> {
  const root = await getDid(table, rule.did);
  if (root === undefined) return { writes: [] };
  const cursor = new ContentCursor(table, (position as ContentPosition | undefined) ?? getStartPosition(root));
  const writes: Write[] = [];
  // On a retry only the existence of the datasets is checked: datasets attached later get no rule.
  const conditions = () => (isRetry ? ruled.map(touchDid) : cursor.collections().map(planUnchangedCheck));
  const ruled: Did[] = [];
  for (let datasets = 0; ; datasets += 1) {
    const dataset = await cursor.dataset();
    if (cursor.isOver) break;
    if (dataset === undefined || datasets === datasetsPerStep) {
      return {
        writes: [...writes, ...conditions(), ...cursor.flush()],
        position: cursor.position(),
      };
    }
    if (!(await hasAlike(table, dataset, rule))) {
      writes.push(...planNewRule(buildDatasetRule(rule, dataset, now), () => duplicateConflict(dataset), now));
      ruled.push(dataset);
    }
    cursor.leave();
  }
  return { writes: [...writes, ...conditions(), ...(await planRemoval(table, rule, now))] };
}

async function hasAlike(table: Table, dataset: Did, { account, rseExpression }: Rule): Promise<boolean> {
  const rules = await getRules(table, await listRuleIds(table, dataset));
  return [...rules.values()].some((other) => other.account === account && other.rseExpression === rseExpression);
}

function buildDatasetRule(rule: Rule, { scope, name, type }: Did, now: number): NewRule {
  const { account, rseExpression, copies, activity, notification, priority } = rule;
  const { comments, expiresAt, ignoreAvailability } = rule;
  return {
    id: newId(),
    did: { scope, name },
    didType: type,
    grouping: 'DATASET',
    status: 'INJECT',
    ok: 0,
    replicating: 0,
    stuck: 0,
    createdAt: now,
    updatedAt: now,
    ignoreAccountLimit: true,
    account,
    rseExpression,
    copies,
    activity,
    notification,
    priority,
    ...defined({ comments, expiresAt, ignoreAvailability }),
  };
}

const duplicateConflict = (dataset: Did) => new LostRace(`${formatDid(dataset)} got such a rule concurrently`);
