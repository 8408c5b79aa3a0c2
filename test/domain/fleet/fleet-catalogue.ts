import { fleetImport, type ExportedRse } from '../../../lib/contract/schemas/fleet.ts';
import { bootstrapRoot } from '../../../lib/domain/accounts/bootstrap.ts';
import type { SyncMethods } from '../../../lib/domain/fleet/sync-method.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { exportFleet } from '../../../lib/operations/fleet/export-fleet.ts';
import { importFleet } from '../../../lib/operations/fleet/import-fleet.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { newTestStore } from '../../support/store.ts';

/** A new catalogue with operations as root. */
export interface FleetCatalogue {
  readonly store: Store;
  readonly context: () => Context;
  /** Imports a document as received over the wire. */
  readonly import: (document: unknown, methods?: Partial<SyncMethods>) => Promise<void>;
  readonly rses: () => Promise<Record<string, ExportedRse>>;
  readonly export: () => ReturnType<typeof exportFleet>;
}

/** A catalogue with the account root only. */
export async function newFleetCatalogue(): Promise<FleetCatalogue> {
  const store = await newTestStore();
  await bootstrapRoot(store, { username: 'ddmlab', password: 'secret' });
  const context = (): Context => ({
    store: store.begin(),
    now: Date.now(),
    issuer: { account: 'root', identity: 'ddmlab' },
  });
  const all = () => exportFleet(context(), { distance: true });
  return {
    store,
    context,
    import: (document, methods = {}) =>
      importFleet(context(), fleetImport.parse(document), { rses: 'edit', attributes: 'edit', ...methods }),
    rses: async () => (await all()).rses,
    export: all,
  };
}
