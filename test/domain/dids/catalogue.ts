import type { DidType, NewDid } from '../../../lib/contract/schemas/did.ts';
import { bootstrapRoot } from '../../../lib/domain/accounts/bootstrap.ts';
import { toRseAttribute } from '../../../lib/domain/rses/attribute-value.ts';
import { draftRse, insertRseDraft } from '../../../lib/domain/rses/draft-rse.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { addScope } from '../../../lib/operations/accounts/add-scope.ts';
import { addDid } from '../../../lib/operations/dids/add-dids.ts';
import { attachDids } from '../../../lib/operations/dids/attach-dids.ts';
import { raiseFleetVersion } from '../../../lib/store/entities/fleet-version.ts';
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

/** Attributes of RSEs by their names. */
type Attributes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A DID in the scope `data`. */
export const data = (name: string) => ({ scope: 'data', name });

/**
 * Creates a catalogue with the scope `data` and the RSE `DISK`.
 *
 * @param given The store of an empty table; absent: of a new table.
 * @param rses Attributes of further RSEs by their names.
 */
export async function newCatalogue(given?: Store, rses: Attributes = {}): Promise<Catalogue> {
  const store = given ?? (await newTestStore());
  await bootstrapRoot(store, { username: 'ddmlab', password: 'secret' });
  const at = (now = Date.now(), own = store): Context => ({
    store: own.begin(),
    now,
    issuer: { account: 'root', identity: 'ddmlab' },
  });
  await addScope(at(), { scope: 'data', account: 'root' });
  await insertRses(store, { DISK: {}, ...rses });
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

/** Inserts RSEs together: each change of RSEs writes all copies of the version of the fleet. */
async function insertRses(store: Store, rses: Attributes): Promise<void> {
  const drafts = Object.entries(rses).map(([name, own]) => {
    const draft = draftRse(name, {}, Date.now());
    const attributes = Object.entries(own).map(([key, value]) => [key, toRseAttribute(key, value)] as const);
    return Object.assign(draft, { attributes: Object.assign({ [name]: true }, Object.fromEntries(attributes)) });
  });
  await store.write(async (latest) => [
    ...drafts.flatMap((draft) => insertRseDraft(draft, () => new Error(`${draft.rse} exists`))),
    await raiseFleetVersion(latest),
  ]);
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
