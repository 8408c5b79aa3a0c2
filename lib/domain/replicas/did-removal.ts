import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { getDeletedDids, keepDeletedDid } from '../../store/entities/deleted-did.ts';
import { deleteFollowerByKey, type DidDependents } from '../../store/entities/did-partition.ts';
import { type Did, deleteDid } from '../../store/entities/did.ts';
import { deleteEdge, type Edge } from '../../store/entities/edge.ts';
import { insertExpiry } from '../../store/entities/expiry.ts';
import { changeRule } from '../../store/entities/rule-writes.ts';
import { insertWork } from '../../store/entities/work.ts';
import { LostRace, type Write } from '../../store/items/plan.ts';
import { moveEdgesToHistory } from '../dids/plan-detachment.ts';
import { recheckDelaysMs } from '../dids/recheck-delays.ts';
import { planOpendataRemoval } from '../opendata/find-opendata.ts';
import { formatDid } from '../values/format-did.ts';

/** A DID from which children are detached. */
interface Detached {
  readonly parent: DidKey;
  readonly edges: readonly Edge[];
}

/** A deletion that is being planned: DIDs to delete, and attachments to end. */
export class DidRemoval {
  readonly #marked = new Map<string, { did: Did; dependents: DidDependents }>();
  readonly #detached = new Map<string, { parent: DidKey; edges: Map<string, Edge> }>();
  /** Attachments to archives that are deleted. They get no history. */
  readonly #constituentEdges = new Map<string, Edge>();

  /** Marks a DID for deletion, with its dependents. */
  markForDeletion(did: Did, dependents: DidDependents): void {
    this.#marked.set(formatDid(did), { did, dependents });
  }

  /** Whether a DID will be deleted. */
  isMarkedForDeletion(did: DidKey): boolean {
    return this.#marked.has(formatDid(did));
  }

  /** Detaches a child from a collection. */
  detach(edge: Edge): void {
    const key = formatDid(edge.parent);
    const detached = this.#detached.get(key) ?? { parent: edge.parent, edges: new Map<string, Edge>() };
    this.#detached.set(key, detached);
    detached.edges.set(formatDid(edge.child), edge);
  }

  /** Detaches a constituent from an archive. */
  detachConstituent(edge: Edge): void {
    this.#constituentEdges.set(makeEdgeKey(edge), edge);
  }

  /** Whether a constituent is detached from an archive. */
  isConstituentDetached(edge: Edge): boolean {
    return this.#constituentEdges.has(makeEdgeKey(edge));
  }

  /** The children that are detached from a DID. */
  detachedFrom(parent: DidKey): readonly Edge[] {
    return [...(this.#detached.get(formatDid(parent))?.edges.values() ?? [])];
  }

  /** The DIDs from which children are detached. */
  detached(): Detached[] {
    return Array.from(this.#detached.values(), ({ parent, edges }) => ({ parent, edges: [...edges.values()] }));
  }

  /** The archives among the DIDs to delete, as `scope:name`. */
  archivesToDelete(): ReadonlySet<string> {
    return new Set([...this.#marked].filter(([, { did }]) => did.isArchive === true).map(([key]) => key));
  }

  /** The writes that delete the DIDs and end the attachments. Collections that remain need writes of their own. */
  async writes(latest: Table, now: number): Promise<Write[]> {
    const deleted = [...this.#marked.values()];
    const records = await getDeletedDids(
      latest,
      deleted.map(({ did }) => did),
    );
    const former = new Map(records.map((record) => [formatDid(record), record]));
    return [
      ...deleted.flatMap(({ did }) => [
        deleteDid(did),
        keepDeletedDid(did, now, former.get(formatDid(did))),
        // A concurrent request may still attach it; expiry checks again later.
        insertExpiry(did, now, { due: now + recheckDelaysMs.deleted, deleted: true }),
      ]),
      ...deleted.flatMap(({ did, dependents }) =>
        dependents.followers.map((key) => deleteFollowerByKey(key, () => dependentsChangedError(did))),
      ),
      ...(await planOpendataRemoval(
        latest,
        deleted.flatMap(({ did, dependents }) => (dependents.isOpendata ? [did] : [])),
      )),
      // Their rules have no locks, since there are no replicas. A task deletes the rest of each rule.
      ...deleted.flatMap(({ dependents }) => dependents.ruleIds.flatMap((ruleId) => removeRule(ruleId, now))),
      ...this.detached().flatMap(({ edges }) =>
        moveEdgesToHistory(edges, now, ({ child }) => dependentsChangedError(child)),
      ),
      ...[...this.#constituentEdges.values()].map((edge) => deleteEdge(edge, () => dependentsChangedError(edge.child))),
    ];
  }
}

function removeRule(ruleId: string, now: number): Write[] {
  const set = { removing: true, updatedAt: now };
  return [changeRule(ruleId, { set }), insertWork({ kind: 'remove', ruleId }, now)];
}

/** A concurrent change of the dependents of a DID. */
export function dependentsChangedError(did: DidKey): LostRace {
  return new LostRace(`the dependents of ${formatDid(did)} were changed concurrently`);
}

const makeEdgeKey = ({ parent, child }: Edge) => `${formatDid(parent)} ${formatDid(child)}`;
