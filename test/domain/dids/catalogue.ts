import type { DidType, NewDid } from '../../../lib/contract/schemas/did.ts';
import { bootstrapRoot } from '../../../lib/domain/accounts/bootstrap.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { addScope } from '../../../lib/operations/accounts/add-scope.ts';
import { addDid } from '../../../lib/operations/dids/add-dids.ts';
import { attachDids } from '../../../lib/operations/dids/attach-dids.ts';
import { addRse } from '../../../lib/operations/rses/add-rse.ts';
import type { Plan } from '../../../lib/store/items/plan.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { newTestStore } from '../../support/store.ts';

/** A catalogue in a table of its own, for tests that call operations as root. */
export interface Catalogue {
  readonly store: Store;
  /** The context of a request that begins now, or at another time. */
  at(now?: number, store?: Store): Context;
  /** Creates a collection in the scope `data`. */
  add(name: string, type: DidType, more?: Partial<NewDid>): Promise<void>;
  /** Attaches DIDs of the scope `data`; with `bytes` they are new files on the RSE `DISK`. */
  attach(parent: string, children: readonly string[], bytes?: number): Promise<void>;
}

/** A DID in the scope `data`. */
export const data = (name: string) => ({ scope: 'data', name });

/**
 * Creates a catalogue with the scope `data` and the RSE `DISK`.
 *
 * @param given The store of an empty table; absent: of a new table.
 */
export async function newCatalogue(given?: Store): Promise<Catalogue> {
  const store = given ?? (await newTestStore());
  await bootstrapRoot(store, { username: 'ddmlab', password: 'secret' });
  const at = (now = Date.now(), own = store): Context => ({
    store: own.begin(),
    now,
    issuer: { account: 'root', identity: 'ddmlab' },
  });
  await addScope(at(), { scope: 'data', account: 'root' });
  await addRse(at(), 'DISK', {});
  return {
    store,
    at,
    add: (name, type, more = {}) => addDid(at(), data(name), { type, ...more }),
    attach: (parent, children, bytes) => {
      const dids = children.map((name) => ({ ...data(name), ...(bytes === undefined ? {} : { bytes }) }));
      return attachDids(at(), data(parent), dids, bytes === undefined ? undefined : 'DISK');
    },
  };
}

/** A store that calls a function between the reads and the writes of each plan, with these writes. */
export function interrupted(store: Store, interrupt: (writes: Plan) => Promise<void>): Store {
  return {
    ...store,
    begin: () => interrupted(store.begin(), interrupt),
    write: (plan) =>
      store.write(async (latest) => {
        const writes = await plan(latest);
        await interrupt(writes);
        return writes;
      }),
    decide: (plan) =>
      store.decide(async (latest) => {
        const outcome = await plan(latest);
        await interrupt(outcome.writes);
        return outcome;
      }),
  };
}
