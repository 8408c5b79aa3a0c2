import { listAccounts } from '../lib/store/entities/account.ts';
import { getFleet } from '../lib/store/entities/rse-fleet.ts';
import { listScopes } from '../lib/store/entities/scope.ts';
import type { Store } from '../lib/store/open-store.ts';
import { scanEntities } from '../lib/store/portable/scan-entities.ts';
import type { JudgedCatalogue } from './judge-catalogue.ts';

/** What a policy judges of the catalogue in a table. Reads all of the table once. */
export function judgedTable(store: Store): JudgedCatalogue {
  const { table } = store;
  return {
    accounts: async function* () {
      for await (const { account } of listAccounts(table)) yield account;
    },
    scopes: async function* () {
      for await (const { scope } of listScopes(table)) yield scope;
    },
    rses: async function* () {
      yield* (await getFleet(table)).live;
    },
    rest: async function* () {
      for await (const found of scanEntities(store)) {
        if (found.kind === 'did') yield { did: found.did };
        else if (found.kind === 'rule') yield { rule: found.rule };
      }
    },
  };
}
