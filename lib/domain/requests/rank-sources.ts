import { hash } from 'node:crypto';

import { isOnTape } from '../../movers/mover.ts';
import type { Table } from '../../store/batches/table.ts';
import { getRseDistances } from '../../store/entities/rse-distance.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { type CopyPfn, findCopyPfn } from './copy-pfn.ts';
import type { RequestDetails } from './describe-request.ts';

/** An RSE from which a mover can copy a file. */
export interface RankedSource extends Partial<CopyPfn> {
  readonly rse: Rse;
  /** Null: unknown. */
  readonly distance: number | null;
  /** The attempts of this transfer that failed from here. */
  readonly failures: number;
}

/** The most pairs of RSEs whose distances a ranker remembers. */
const maxKnownPairs = 10_000;

/**
 * Ranks the sources of transfers: those from which fewer attempts failed first, then disk before tape, then by distance,
 * unknown ones last. Of equal ones each file prefers another, so that they share the load. Each pair of RSEs is read once.
 */
export class SourceRanker {
  readonly #table: Table;
  readonly #distances = new Map<string, number | null>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** Reads the distances that {@link rank} needs for some transfers. */
  async load(wanted: readonly RequestDetails[]): Promise<void> {
    if (this.#distances.size > maxKnownPairs) this.#distances.clear();
    const pairs = new Map(
      wanted.flatMap(({ sources, destination }) =>
        sources.map(({ id }) => {
          const pair = { sourceId: id, destinationId: destination.id };
          return [keyOf(pair), pair] as const;
        }),
      ),
    );
    const unknown = [...pairs].filter(([key]) => !this.#distances.has(key));
    if (unknown.length === 0) return;
    for (const [key] of unknown) this.#distances.set(key, null);
    const found = await getRseDistances(
      this.#table,
      unknown.map(([, pair]) => pair),
    );
    for (const pair of found) this.#distances.set(keyOf(pair), pair.distance);
  }

  /**
   * The sources of a transfer, the best first.
   *
   * @param schemes The schemes that the mover can read, which leaves out other sources; undefined: any.
   */
  rank({ transfer, file, sources, destination }: RequestDetails, schemes?: readonly string[]): RankedSource[] {
    const ranked = sources.flatMap((rse): RankedSource[] => {
      const path = file?.replicas.get(rse.id)?.path;
      const place = findCopyPfn(rse, transfer.did, { operation: 'read', schemes, path });
      if (place === undefined && schemes !== undefined) return [];
      const distance = this.#distances.get(keyOf({ sourceId: rse.id, destinationId: destination.id })) ?? null;
      return [{ rse, ...place, distance, failures: transfer.failures?.[rse.id] ?? 0 }];
    });
    return ranked.toSorted(
      (a, b) =>
        a.failures - b.failures ||
        Number(isOnTape(a.rse)) - Number(isOnTape(b.rse)) ||
        (a.distance ?? Number.MAX_VALUE) - (b.distance ?? Number.MAX_VALUE) ||
        (drawOf(transfer.id, a.rse) < drawOf(transfer.id, b.rse) ? -1 : 1),
    );
  }
}

const drawOf = (id: string, rse: Rse) => hash('md5', `${id} ${rse.id}`);

const keyOf = ({ sourceId, destinationId }: { readonly sourceId: string; readonly destinationId: string }) =>
  `${sourceId} ${destinationId}`;
