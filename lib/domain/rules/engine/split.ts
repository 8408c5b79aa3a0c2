import { defined } from '../../../defined.ts';
import type { Table } from '../../../store/batches/table.ts';
import { changeDid, type Did, getDid } from '../../../store/entities/did.ts';
import { getRules, listRuleIds, type NewRule, type Rule } from '../../../store/entities/rule.ts';
import { LostRace, type Write } from '../../../store/items/plan.ts';
import { type ContentPosition, startOf } from '../../did-graph/content-walk.ts';
import { formatDid } from '../../values/format-did.ts';
import { newId } from '../../values/ids.ts';
import type { Step } from '../../values/worker.ts';
import { planRemoval } from '../life-cycle/remove.ts';
import { ContentCursor } from './content-cursor.ts';
import { makeRule } from './make-rule.ts';
import { confirm } from './placement.ts';

/** Datasets that get a rule of their own in a step. */
const datasetsPerStep = 90;

interface Splitting {
  readonly rule: Rule;
  readonly position: unknown;
  readonly now: number;
  /** Others change the containers all the time. */
  readonly isAgain: boolean;
}

/**
 * Puts a rule of its own on each dataset below a container, unless there is one of that account and expression, and in
 * the last step removes the rule on the container (spec/replication.md 3.4).
 */
export async function splitRule(table: Table, { rule, position, now, isAgain }: Splitting): Promise<Step> {
  const root = await getDid(table, rule.did);
  if (root === undefined) return { writes: [] };
  const cursor = new ContentCursor(table, (position as ContentPosition | undefined) ?? startOf(root));
  const writes: Write[] = [];
  // What is attached later is not split any more; but there is no rule on what is not there.
  const confirmed = () => (isAgain ? ruled.map(exists) : cursor.collections().map(confirm));
  const ruled: Did[] = [];
  for (let datasets = 0; ; datasets += 1) {
    const dataset = await cursor.dataset();
    if (cursor.isOver) break;
    if (dataset === undefined || datasets === datasetsPerStep) {
      return {
        writes: [...writes, ...confirmed(), ...cursor.flush()],
        position: cursor.position(),
      };
    }
    if (!(await hasAlike(table, dataset, rule))) {
      writes.push(...makeRule(part(rule, dataset, now), () => met(dataset), now));
      ruled.push(dataset);
    }
    cursor.leave();
  }
  return { writes: [...writes, ...confirmed(), ...(await planRemoval(table, rule, now))] };
}

async function hasAlike(table: Table, dataset: Did, { account, rseExpression }: Rule): Promise<boolean> {
  const rules = await getRules(table, await listRuleIds(table, dataset));
  return [...rules.values()].some((other) => other.account === account && other.rseExpression === rseExpression);
}

function part(rule: Rule, { scope, name, type }: Did, now: number): NewRule {
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

function exists(did: Did): Write {
  const gone = () => new LostRace(`${formatDid(did)} has gone meanwhile`);
  return { ...changeDid(did, {}, { onMismatch: gone }), isCheck: true };
}

const met = (dataset: Did) => new LostRace(`${formatDid(dataset)} has got such a rule meanwhile`);
