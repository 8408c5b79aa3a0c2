import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { insertNesting } from '../../store/entities/edge.ts';
import { countNestings, requireNestings } from '../../store/entities/scope.ts';
import { LostRace, type Write } from '../../store/items/plan.ts';

/**
 * The attachments of containers to containers in a plan, and the conditions that exclude circles
 * (docs/adr/0017-circles.md). Each such attachment increments a counter at the scope of the child. A walk upwards reads
 * the counters of the scopes first, and its plan has them as conditions (an optimistic lock). So if concurrent
 * attachments would close a circle together, one of them is planned again.
 */
export class Nestings {
  /** The counters of scopes, read before their containers. */
  readonly #counts = new Map<string, number | undefined>();
  readonly #raised = new Set<string>();
  readonly #writes: Write[] = [];

  /** Makes the plan depend on the counters: it is retried if a container of the scopes gets a parent concurrently. */
  async watch(table: Table, scopes: Iterable<string>): Promise<void> {
    const unknown = [...new Set(scopes)].filter((scope) => !this.#counts.has(scope));
    const counts = await Promise.all(unknown.map((scope) => countNestings(table, scope)));
    for (const [index, scope] of unknown.entries()) this.#counts.set(scope, counts[index]);
  }

  /**
   * Attaches a container to another one.
   *
   * @param now In milliseconds since 1970.
   * @param isNew The same plan creates the parent, so that it has no ancestors.
   */
  nest(parent: DidKey, child: DidKey, now: number, isNew: boolean): void {
    this.#writes.push(insertNesting(parent, child, now));
    if (!isNew) this.#raised.add(child.scope);
  }

  /** The writes that accompany the attachments. */
  writes(): Write[] {
    if (this.#raised.size === 0) return this.#writes;
    const scopes = new Set([...this.#raised, ...this.#counts.keys()]);
    const counted = Array.from(scopes, (scope) =>
      requireNestings(scope, {
        raises: this.#raised.has(scope),
        ...(this.#counts.has(scope) ? { count: this.#counts.get(scope) } : {}),
        raced: () => new LostRace(`a container of ${scope} got a parent concurrently`),
      }),
    );
    return [...this.#writes, ...counted];
  }
}
