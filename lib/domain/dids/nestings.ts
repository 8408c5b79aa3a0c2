import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { insertNesting } from '../../store/entities/edge.ts';
import { countNestings, requireNestings } from '../../store/entities/scope.ts';
import { LostRace, type Write } from '../../store/items/plan.ts';

/**
 * Containers that a plan puts into containers, and the conditions under which this closes no circle
 * (docs/adr/0017-circles.md). Each such attachment raises a count at the scope of the child. A walk upwards reads the counts
 * of the scopes first, and its plan has them as conditions (an optimistic lock). So of several attachments that would close
 * a circle together, one is planned anew.
 */
export class Nestings {
  /** The counts of scopes, as they were before anything was asked of what is in them. */
  readonly #counts = new Map<string, number | undefined>();
  readonly #raised = new Set<string>();
  readonly #writes: Write[] = [];

  /** Depends on it that no container of some scopes is put into another one before the plan takes effect. */
  async watch(table: Table, scopes: Iterable<string>): Promise<void> {
    const unknown = [...new Set(scopes)].filter((scope) => !this.#counts.has(scope));
    const counts = await Promise.all(unknown.map((scope) => countNestings(table, scope)));
    for (const [index, scope] of unknown.entries()) this.#counts.set(scope, counts[index]);
  }

  /**
   * Puts a container into another one.
   *
   * @param now In milliseconds since 1970.
   * @param isNew The parent is made by the same plan, so that nothing is above it.
   */
  nest(parent: DidKey, child: DidKey, now: number, isNew: boolean): void {
    this.#writes.push(insertNesting(parent, child, now));
    if (!isNew) this.#raised.add(child.scope);
  }

  /** The writes that go with the attachments. */
  writes(): Write[] {
    if (this.#raised.size === 0) return this.#writes;
    const scopes = new Set([...this.#raised, ...this.#counts.keys()]);
    const counted = Array.from(scopes, (scope) =>
      requireNestings(scope, {
        raises: this.#raised.has(scope),
        ...(this.#counts.has(scope) ? { count: this.#counts.get(scope) } : {}),
        raced: () => new LostRace(`a container of ${scope} was put into another one in the meantime`),
      }),
    );
    return [...this.#writes, ...counted];
  }
}
