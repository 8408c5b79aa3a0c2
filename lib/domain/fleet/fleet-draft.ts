import { RucioError } from '../../errors.ts';
import type { Fleet } from '../../store/entities/rse-fleet.ts';
import type { NewRse, Rse } from '../../store/entities/rse.ts';
import { LostRace, type Plan } from '../../store/items/plan.ts';
import { insertDraft } from '../rses/draft-rse.ts';
import { planChange } from '../rses/plan-change.ts';

/** A fleet as it is being changed: it answers as if everything it was told were written already. */
export class FleetDraft {
  readonly #fleet: Fleet;
  /** The RSEs that were put, by id. */
  readonly #drafts = new Map<string, NewRse>();
  /** The ids of renamed and new RSEs; null for a name that was given up. */
  readonly #names = new Map<string, string | null>();

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** The RSE of a name, disabled ones included. */
  find(name: string): NewRse | undefined {
    const id = this.idOf(name);
    return id === undefined ? undefined : (this.#drafts.get(id) ?? this.#fleet.byId.get(id));
  }

  /** The id of the RSE of a name, disabled ones included. */
  idOf(name: string): string | undefined {
    const known = this.#names.get(name);
    return known === undefined ? this.#fleet.byName.get(name)?.id : (known ?? undefined);
  }

  /** Whether an RSE was there before. */
  isOld(id: string): boolean {
    return this.#fleet.byId.has(id);
  }

  /** Live RSEs that were there before and were not put. */
  untouched(): readonly Rse[] {
    return this.#fleet.live.filter(({ id }) => !this.#drafts.has(id));
  }

  /**
   * Puts an RSE in the place of what it was, or among the others.
   *
   * @throws Duplicate (409) when its new name is that of another one, also of one that has just given it up.
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

  /** The writes that make the fleet so; none for an RSE that is so already. They need `raiseFleetVersion`. */
  plan(now: number): Plan {
    return [...this.#drafts.values()].flatMap((after) => {
      const before = this.#fleet.byId.get(after.id);
      if (before !== undefined) return planChange(before, after, now);
      return insertDraft(after, () => new LostRace(`RSE ${after.rse} was made in the meantime`));
    });
  }
}
