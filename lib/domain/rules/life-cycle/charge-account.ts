import type { DidKey } from '../../../contract/schemas/did.ts';
import { log } from '../../../log.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type FileDid, getDid } from '../../../store/entities/did.ts';
import { getRule, type Rule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Write } from '../../../store/items/plan.ts';
import { readContentPosition } from '../../did-graph/content-walk.ts';
import { chargeLocks } from '../../locks/charge-locks.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { formatDid } from '../../values/format-did.ts';
import { mayHaveCrashed, type TaskStep, type Worker } from '../../values/worker.ts';
import { type ContentRoot, readContentPart, splitIntoPortions } from './content-part.ts';

/**
 * Charges the locks of a rule to its account, whichever account they were charged to before (spec/replication.md 2.4).
 */
export const chargeAccount: Worker = async function* (
  { now },
  latest,
  { task, position, failures },
): AsyncGenerator<TaskStep> {
  const table = latest.latest();
  if (task.kind !== 'charge') return yield { writes: [] };
  const rule = await getRule(table, task.ruleId);
  const root = rule === undefined ? undefined : await findRoot(table, rule, task.under);
  if (rule === undefined || root === undefined) return yield { writes: [] };
  const { files, next, kept } = await readContentPart(table, root, readContentPosition(position), {
    isCautious: mayHaveCrashed(failures),
  });
  const full: FileDid[] = [];
  const charged = (changes: ReplicaChanges, file: FileDid) => {
    if (!chargeLocks(changes, file, rule)) full.push(file);
  };
  for (const { changes, position: here } of splitIntoPortions(files, now, charged)) {
    const writes = [
      ...changes.writes(new Set([rule.id])),
      ...full.splice(0).map((file) => chargeLater(rule, file, now)),
    ];
    if (here !== undefined) yield { writes, position: here };
    else yield { writes: [...writes, ...kept], ...(next === undefined ? {} : { position: next }) };
  }
};

/** When a file is charged again whose item had no room for that. */
const fullDelayMs = 3_600_000;

/** The task that charges a single file later: it holds up no other. */
function chargeLater({ id }: Rule, { scope, name }: FileDid, now: number): Write {
  log.error('a lock is not charged to the account of its rule: the item of its file is full', {
    rule: id,
    did: formatDid({ scope, name }),
  });
  return insertWork({ kind: 'charge', ruleId: id, under: { scope, name } }, now + fullDelayMs);
}

async function findRoot(table: Table, rule: Rule, under: DidKey | undefined): Promise<ContentRoot | undefined> {
  if (under === undefined) return rule;
  const did = await getDid(table, under);
  return did === undefined ? undefined : { did, didType: did.type };
}

/** The most locks that a request charges itself; those of a larger rule are left to a task. */
const maxLocksAtOnce = 100;

/**
 * {@link chargeAccount} for the plan of a request that gives a rule to another account; nothing for a large rule. The
 * task follows in any case, for locks that others make meanwhile.
 */
export async function planCharge(table: Table, rule: Rule, now: number): Promise<Write[]> {
  if (rule.ok + rule.replicating + rule.stuck > maxLocksAtOnce) return [];
  const { files, next } = await readContentPart(table, rule);
  if (next !== undefined) return [];
  const changes = new ReplicaChanges(now);
  for (const { file } of files) chargeLocks(changes, file, rule);
  return changes.writes(new Set());
}
