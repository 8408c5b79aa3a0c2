import type { DidKey } from '../../../contract/schemas/did.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type Did, getDids } from '../../../store/entities/did.ts';
import { listChildren, listHistory, type PastEdge } from '../../../store/entities/edge.ts';
import type { Rule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Insert, Plan, Write } from '../../../store/items/plan.ts';
import { Below } from '../../did-graph/below.ts';
import { ContentWalk, readPosition, startOf } from '../../did-graph/content-walk.ts';
import { lockOf, releaseLock } from '../../locks/release.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { type Step, touchedPerStep } from '../../values/worker.ts';
import { planLocks } from './attached.ts';
import { recheckLater } from './recheck-later.ts';

/** How much earlier than it is committed, and by another clock, something may be dated, in milliseconds. */
const margin = 15 * 60_000;

/** Datasets that are passed in one step. */
const datasetsPerStep = 100;

/** What a placement has relied on that was not to be relied on. */
interface Occasion {
  /** When it was begun to be read, in milliseconds since 1970. */
  readonly since: number;
  readonly now: number;
}

/** The note that has it looked at what was attached to a collection of a rule, or detached from it, lately. */
export function lookAgain({ id }: Rule, { scope, name }: DidKey, { since, now }: Occasion): Insert {
  return insertWork({ kind: 'spread', ruleId: id, under: { scope, name }, since }, now);
}

interface Recent extends Occasion {
  readonly rule: Rule;
  readonly root: Did;
  readonly position: unknown;
}

/**
 * Brings the locks of a rule in line with what was attached and detached below a collection lately: the rule was placed
 * there while others changed it. Costs a read of an edge for each file, of the file where it is new.
 */
export async function* lockRecent(table: Table, { rule, root, position, since, now }: Recent): AsyncGenerator<Step> {
  const from = since - margin;
  const notes: Write[] = [];
  const enters = async (container: DidKey) => {
    for (const { child, type } of await detachedFrom(table, container, from)) {
      if (type !== 'FILE') notes.push(insertWork({ kind: 'unlock', ruleId: rule.id, under: child }, now));
    }
    return true;
  };
  const walk = new ContentWalk(table, readPosition(position) ?? startOf(root), { enters });
  for (let datasets = 0; ; datasets += 1) {
    const dataset = await walk.next();
    const after = walk.place?.after;
    if (walk.isOver) return yield { writes: notes };
    if (dataset === undefined || datasets === datasetsPerStep) {
      return yield { writes: [...notes, ...walk.flush()], position: walk.position() };
    }
    const releases = after === undefined ? await planReleases(table, { rule, dataset, from, now }) : [];
    if (releases.length > 0) return yield { writes: [...notes, ...releases], position: walk.position() };
    const { files, last } = await attachedTo(table, { dataset, after, from, most: touchedPerStep / rule.copies });
    if (last === undefined) walk.leave();
    else walk.moveTo({ did: dataset, after: last });
    const locks = files.length === 0 ? [] : await planLocks(table, rule, { parent: dataset, files }, now);
    if (locks.length === 0) continue;
    return yield { writes: [...notes, ...locks, ...walk.flush()], position: walk.position() };
  }
}

async function detachedFrom(table: Table, parent: DidKey, from: number): Promise<PastEdge[]> {
  return Array.fromAsync(listHistory(table, parent, { after: { deletedAt: Math.max(from, 0), child: parent } }));
}

interface Dataset {
  readonly dataset: DidKey;
  readonly from: number;
}

/** The files that were attached lately, and the last one that was looked at; undefined: there are no more. */
async function attachedTo(
  table: Table,
  { dataset, after, from, most }: Dataset & { readonly after: DidKey | undefined; readonly most: number },
): Promise<{ readonly files: DidKey[]; readonly last: DidKey | undefined }> {
  const files: DidKey[] = [];
  for await (const { child, createdAt } of listChildren(table, dataset, { after })) {
    if (createdAt >= from) files.push(child);
    if (files.length >= most) return { files, last: child };
  }
  return { files, last: undefined };
}

/** The writes that take the locks of a rule from what was detached lately; none: all are gone. */
async function planReleases(
  table: Table,
  { rule, dataset, from, now }: Dataset & { readonly rule: Rule; readonly now: number },
): Promise<Plan> {
  const past = await detachedFrom(table, dataset, from);
  const files = await getDids(
    table,
    past.map(({ child }) => child),
  );
  const below = new Below(table, rule.did);
  const changes = new ReplicaChanges(now);
  const released: Did[] = [];
  for (const file of files) {
    const rseIds = [...file.replicas].filter(([, replica]) => lockOf(replica, rule.id) !== undefined);
    if (rseIds.length === 0 || (await below.has(file))) continue;
    for (const [rseId] of rseIds) releaseLock(changes, { file, rseId, ruleId: rule.id, rule, now });
    released.push(file);
    if (changes.touched >= touchedPerStep) break;
  }
  return [...changes.writes(new Set([rule.id])), ...recheckLater(rule.id, released, now)];
}
