import type { ImportedRse } from '../../contract/schemas/fleet.ts';
import { forEachLimited, mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { openRse } from '../../store/entities/closed-rse.ts';
import type { Plan } from '../../store/items/plan.ts';
import { planDisabling } from '../rses/plan-disabling.ts';
import type { FleetDraft } from './fleet-draft.ts';
import { importRse } from './import-rse.ts';
import type { SyncMethods } from './sync-method.ts';

/** The most RSEs whose emptiness is checked in parallel. */
const maxParallelChecks = 16;

/**
 * Adds the RSEs of an import to a draft, in order (spec/rses.md 1.30).
 *
 * @param now In milliseconds since 1970.
 * @throws What {@link importRse} throws; Duplicate (409) for a new name in use.
 */
export function draftRses(
  draft: FleetDraft,
  rses: Readonly<Record<string, ImportedRse>>,
  methods: SyncMethods,
  now: number,
): void {
  for (const [name, given] of Object.entries(rses)) {
    const rse = importRse(draft.find(name), { name, given }, methods, now);
    if (rse !== undefined) draft.put(rse);
  }
}

/** RSEs that a plan disables. */
interface DisablingOthers {
  readonly rseIds: readonly string[];
  readonly writes: Plan;
}

/** The writes that disable the live RSEs that an import does not name and that are empty. */
export async function planDisablingOthers(draft: FleetDraft, latest: Table, now: number): Promise<DisablingOthers> {
  const rseIds: string[] = [];
  const plans: Plan[] = [];
  await forEachLimited(draft.untouched(), maxParallelChecks, async (rse) => {
    const plan = await planDisabling(rse, latest, now);
    if (plan === undefined) return;
    rseIds.push(rse.id);
    plans.push(plan);
  });
  return { rseIds, writes: plans.flat() };
}

/** The writes that let the RSEs take replicas again that an import restores. */
export async function planOpeningRestored(draft: FleetDraft, latest: Table): Promise<Plan> {
  const plans = await mapLimited(draft.restored(), maxParallelChecks, (rseId) => openRse(latest, rseId));
  return plans.flat();
}
