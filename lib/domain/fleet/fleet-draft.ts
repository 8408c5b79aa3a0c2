import { RucioError } from '../../errors.ts';
import type { Fleet } from '../../store/entities/rse-fleet.ts';
import type { NewRse, Rse } from '../../store/entities/rse.ts';
import { LostRace, type Plan } from '../../store/items/plan.ts';
import { insertRseDraft } from '../rses/draft-rse.ts';
import { planRseChange } from '../rses/plan-rse-change.ts';

/** A fleet with changes that are not written yet; look-ups see them. */
export class FleetDraft {
  readonly #fleet: Fleet;
  /** New and changed RSEs, by id. */
  readonly #drafts = new Map<string, NewRse>();
  /** The ids of new and renamed RSEs, by name; null for a former name. */
  readonly #names = new Map<string, string | null>();

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** The RSE with a name, disabled ones included. */
  find(name: string): NewRse | undefined {
    const id = this.idOf(name);
    return id === undefined ? undefined : (this.#drafts.get(id) ?? this.#fleet.byId.get(id));
  }

  /** The id of the RSE with a name, disabled ones included. */
  idOf(name: string): string | undefined {
    const known = this.#names.get(name);
    return known === undefined ? this.#fleet.byName.get(name)?.id : (known ?? undefined);
  }

  /** Whether an RSE is in the stored fleet. */
  isStored(id: string): boolean {
    return this.#fleet.byId.has(id);
  }

  /** Live RSEs of the stored fleet without a change. */
  untouched(): readonly Rse[] {
    return this.#fleet.live.filter(({ id }) => !this.#drafts.has(id));
  }

  /** The ids of the disabled RSEs that are live after the changes. */
  restored(): readonly string[] {
    const live = [...this.#drafts.values()].filter(({ deletedAt }) => deletedAt === undefined);
    return live.map(({ id }) => id).filter((id) => this.#fleet.byId.get(id)?.deletedAt !== undefined);
  }

  /**
   * Adds or replaces an RSE.
   *
   * @throws Duplicate (409) when another RSE has its new name, or had it before these changes.
   */
  put(rse: NewRse): void {
    const before = this.#drafts.get(rse.id) ?? this.#fleet.byId.get(rse.id);
    this.#drafts.set(rse.id, rse);
    if (before?.rse === rse.rse) return;
    if (this.#fleet.byName.has(rse.rse) || this.#names.has(rse.rse)) {
      throw new RucioError('Duplicate', `RSE '${rse.rse}' already exists!`);
    }
    if (before !== undefined) this.#names.set(before.rse, null);
    this.#names.set(rse.rse, rse.id);
  }

  /** The writes of all changes; none for an unchanged RSE. The plan must also call `raiseFleetVersion`. */
  plan(now: number): Plan {
    return [...this.#drafts.values()].flatMap((after) => {
      const before = this.#fleet.byId.get(after.id);
      if (before !== undefined) return planRseChange(before, after, now);
      return insertRseDraft(after, () => new LostRace(`RSE ${after.rse} was created concurrently`));
    });
  }
}
