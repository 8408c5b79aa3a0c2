import type { DidKey } from '../../../contract/schemas/did.ts';
import { getFiles } from '../../../store/entities/did.ts';
import { getRule } from '../../../store/entities/rule.ts';
import { ContentParents } from '../../did-graph/content-parents.ts';
import { DescendantTest } from '../../did-graph/descendant-test.ts';
import { findLock, releaseLock } from '../../locks/release-lock.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { formatDid } from '../../values/format-did.ts';
import { type TaskStep, maxItemsPerStep, type Worker } from '../../values/worker.ts';
import { planLocks, takesContent } from './lock-attached.ts';
import { recheckLater } from './recheck-later.ts';

/**
 * Releases the locks of a rule on files that are neither its DID nor below it, and locks those below it; a step for each
 * dataset. A file that a step has locked or unlocked is checked once more: another request may have attached or detached
 * it between the check and the step, when the reaction to that request found nothing to do.
 */
export const recheck: Worker = async function* ({ now }, latest, { task, position }): AsyncGenerator<TaskStep> {
  const table = latest.latest();
  const rule = await getRule(table, task.ruleId);
  if (task.kind !== 'recheck' || rule === undefined || rule.removing === true) return yield { writes: [] };
  const from = Number(position ?? 0);
  const below = new DescendantTest(rule.did, new ContentParents(table));
  const changes = new ReplicaChanges(now);
  const released: DidKey[] = [];
  const release = () => [...changes.writes(new Set([rule.id])), ...recheckLater(rule.id, released, now)];
  const files = await getFiles(table, task.files);
  const byName = new Map(files.map((file) => [formatDid(file), file]));
  for (const [index, key] of task.files.entries()) {
    const file = byName.get(formatDid(key));
    // A rule on the file itself locks it wherever it is attached.
    if (index < from || file === undefined || formatDid(key) === formatDid(rule.did)) continue;
    if (changes.touched >= maxItemsPerStep) return yield { writes: release(), position: index };
    const parent = await below.findParent(file);
    if (parent === undefined) {
      const locked = [...file.replicas].filter(([, replica]) => findLock(replica, rule.id) !== undefined);
      for (const [rseId] of locked) releaseLock(changes, { file, rseId, ruleId: rule.id, rule, now });
      if (locked.length > 0) released.push(key);
    } else if (takesContent(rule)) {
      const locks = await planLocks(table, rule, { parent, files: [key] }, now);
      if (locks.length === 0) continue;
      // Releases come first: a step changes the counters of a rule only once.
      const isFirst = changes.touched === 0;
      return yield isFirst
        ? { writes: [...locks, ...recheckLater(rule.id, [key], now)], position: index + 1 }
        : { writes: release(), position: index };
    }
  }
  return yield { writes: release() };
};
