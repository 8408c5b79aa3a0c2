import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { getDeletedDids, keepDeletedDid } from '../../store/entities/deleted-did.ts';
import { deleteFollowerByKey, type DidDependents } from '../../store/entities/did-partition.ts';
import { type Did, deleteDid } from '../../store/entities/did.ts';
import { deleteEdge, type Edge } from '../../store/entities/edge.ts';
import { insertExpiry } from '../../store/entities/expiry.ts';
import { changeRule } from '../../store/entities/rule.ts';
import { insertWork } from '../../store/entities/work.ts';
import { LostRace, type Write } from '../../store/items/plan.ts';
import { moveEdgesToHistory } from '../dids/plan-detachment.ts';
import { recheckDelaysMs } from '../dids/recheck-delays.ts';
import { formatDid } from '../values/format-did.ts';

/** A DID from which children are detached. */
interface Detached {
  readonly parent: DidKey;
  readonly edges: readonly Edge[];
}

/** DIDs that go, and attachments that end with them, while it is being found out which. */
export class DidRemoval {
  readonly #doomed = new Map<string, { did: Did; hangers: DidDependents }>();
  readonly #detached = new Map<string, { parent: DidKey; edges: Map<string, Edge> }>();
  /** Attachments to archives that go: no history is kept of them. */
  readonly #freed = new Map<string, Edge>();

  /** Lets a DID go, with what hangs on it. */
  doom(did: Did, hangers: DidDependents): void {
    this.#doomed.set(formatDid(did), { did, hangers });
  }

  /** Whether a DID goes. */
  isDoomed(did: DidKey): boolean {
    return this.#doomed.has(formatDid(did));
  }

  /** Detaches a child from a collection. */
  detach(edge: Edge): void {
    const key = formatDid(edge.parent);
    const detached = this.#detached.get(key) ?? { parent: edge.parent, edges: new Map<string, Edge>() };
    this.#detached.set(key, detached);
    detached.edges.set(formatDid(edge.child), edge);
  }

  /** Takes a constituent out of an archive. */
  free(edge: Edge): void {
    this.#freed.set(edgeKey(edge), edge);
  }

  /** Whether a constituent is taken out of an archive. */
  isFreed(edge: Edge): boolean {
    return this.#freed.has(edgeKey(edge));
  }

  /** The attachments to a DID that end. */
  detachedFrom(parent: DidKey): readonly Edge[] {
    return [...(this.#detached.get(formatDid(parent))?.edges.values() ?? [])];
  }

  /** The DIDs from which children are detached. */
  detached(): Detached[] {
    return Array.from(this.#detached.values(), ({ parent, edges }) => ({ parent, edges: [...edges.values()] }));
  }

  /** DIDs that go and were archives. */
  doomedArchives(): ReadonlySet<string> {
    return new Set([...this.#doomed].filter(([, { did }]) => did.isArchive === true).map(([key]) => key));
  }

  /** The writes that let the DIDs go and end the attachments; what survives needs writes of its own. */
  async writes(latest: Table, now: number): Promise<Write[]> {
    const doomed = [...this.#doomed.values()];
    const records = await getDeletedDids(
      latest,
      doomed.map(({ did }) => did),
    );
    const former = new Map(records.map((record) => [formatDid(record), record]));
    return [
      ...doomed.flatMap(({ did }) => [
        deleteDid(did),
        keepDeletedDid(did, now, former.get(formatDid(did))),
        // Whoever had read it before may attach it after: that is looked at once more.
        insertExpiry(did, now, { due: now + recheckDelaysMs.afterDeletion, deleted: true }),
      ]),
      ...doomed.flatMap(({ did, hangers }) =>
        hangers.followers.map((key) => deleteFollowerByKey(key, () => dependentsChangedError(did))),
      ),
      // They have no locks, since there are no replicas; what else hangs on them is a task.
      ...doomed.flatMap(({ hangers }) => hangers.ruleIds.flatMap((ruleId) => removeRule(ruleId, now))),
      ...this.detached().flatMap(({ edges }) =>
        moveEdgesToHistory(edges, now, ({ child }) => dependentsChangedError(child)),
      ),
      ...[...this.#freed.values()].map((edge) => deleteEdge(edge, () => dependentsChangedError(edge.child))),
    ];
  }
}

function removeRule(ruleId: string, now: number): Write[] {
  const set = { removing: true, updatedAt: now };
  return [changeRule(ruleId, { set }), insertWork({ kind: 'remove', ruleId }, now)];
}

/** Somebody else has changed what was read of a DID. */
export function dependentsChangedError(did: DidKey): LostRace {
  return new LostRace(`what hangs on ${formatDid(did)} was changed meanwhile`);
}

const edgeKey = ({ parent, child }: Edge) => `${formatDid(parent)} ${formatDid(child)}`;
