import type { FleetImport } from '../../contract/schemas/fleet.ts';
import { FleetDraft } from '../../domain/fleet/fleet-draft.ts';
import { planAccounts } from '../../domain/fleet/import-accounts.ts';
import { planDistances } from '../../domain/fleet/import-distances.ts';
import { makePasswordHasher, planIdentities } from '../../domain/fleet/import-identities.ts';
import { planDisablingOthers, draftRses, planOpeningRestored } from '../../domain/fleet/import-rses.ts';
import { readSyncMethods, type SyncMethods } from '../../domain/fleet/sync-method.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { invalidateAccount, invalidateOrigin } from '../../domain/permission/facts.ts';
import { requireEmpty } from '../../domain/rses/plan-disabling.ts';
import type { Context } from '../../domain/values/context.ts';
import type { Table } from '../../store/batches/table.ts';
import { raiseFleetVersion } from '../../store/entities/fleet-version.ts';
import type { Mapping } from '../../store/entities/identity.ts';
import { getFleet, readFleet } from '../../store/entities/rse-fleet.ts';
import type { Plan } from '../../store/items/plan.ts';

/**
 * Imports RSEs, distances and accounts from a document, all or nothing. Writes only differences (spec/rses.md 1.30).
 *
 * @param methods What to do with stored things; by default from the configuration.
 * @throws InvalidObject, IdentityError, UnsupportedAccountName (400); AccessDenied (401); RSENotFound (404) for a name in
 *   `distances`; RSEProtocolDomainNotSupported, RSEOperationNotSupported (404); RSEProtocolPriorityError, Duplicate (409).
 */
export async function importFleet(
  context: Context,
  { rses = {}, distances = {}, accounts = [] }: FleetImport,
  methods?: SyncMethods,
): Promise<void> {
  const { store, now } = context;
  await authorize(context, 'import', { accounts: accounts.map(({ account }) => account) });
  const sync = methods ?? (await readSyncMethods(store.table));
  const hashOf = makePasswordHasher();
  const isHard = sync.rses === 'hard' && Object.keys(rses).length > 0;
  let fleetOf = getFleet;
  let disabledIds: readonly string[] = [];
  let removed: readonly Mapping[] = [];
  const plan = async (latest: Table): Promise<Plan> => {
    // Before it looks which RSEs are empty: what is registered on very many RSEs raises it.
    const exact = isHard ? await raiseFleetVersion(latest, { isExact: true }) : undefined;
    const draft = new FleetDraft(await fleetOf(latest));
    // A retry reads past the cache: an aborted bulk request does not raise the version of the fleet.
    fleetOf = readFleet;
    draftRses(draft, rses, sync, now);
    const others = isHard ? await planDisablingOthers(draft, latest, now) : { rseIds: [], writes: [] };
    disabledIds = others.rseIds;
    const identities = await planIdentities(latest, accounts, { hashOf, now });
    removed = identities.removed;
    const rsePlan = [...draft.plan(now), ...(await planOpeningRestored(draft, latest)), ...others.writes];
    return [
      ...rsePlan,
      ...(rsePlan.length === 0 ? [] : [exact ?? (await raiseFleetVersion(latest))]),
      ...(await planDistances(draft, latest, distances, now)),
      ...(await planAccounts(latest, accounts, now)),
      ...identities.writes,
    ];
  };
  await store.write(plan, isHard ? { confirm: () => requireEmpty(store.table, disabledIds) } : {});
  for (const { account } of accounts) invalidateAccount(store, account);
  for (const mapping of removed) invalidateOrigin(store, mapping.account, mapping);
}
