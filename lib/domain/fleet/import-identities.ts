import type { ImportedAccount } from '../../contract/schemas/fleet.ts';
import { fail } from '../../errors.ts';
import { forEachLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import {
  deleteIdentity,
  deleteMapping,
  getIdentities,
  getIdentityWithMappings,
  type IdentityKey,
  insertIdentity,
  insertMapping,
  listIdentitiesOf,
  type Mapping,
  touchIdentity,
} from '../../store/entities/identity.ts';
import { LostRace, type Plan, type Write } from '../../store/items/plan.ts';
import { requireSoundIdentity } from '../identities/identity-key.ts';
import { hashPassword } from '../identities/password.ts';

/** The most passwords that are hashed, and accounts whose identities are read, in parallel. */
const maxParallel = 16;

type Given = NonNullable<ImportedAccount['identities']>[number];

/**
 * A function that hashes each password once, however often the plan is retried.
 *
 * @returns The hash of a new identity; undefined for one without a password.
 */
export function makePasswordHasher(): (identity: Given) => Promise<string | undefined> {
  const hashes = new Map<string, Promise<string>>();
  return async ({ type, identity, password }) => {
    if (type !== 'USERPASS') return undefined;
    if (!password) return fail('IdentityError', 'You must provide a password!');
    const hash = hashes.get(identity) ?? hashPassword(password);
    hashes.set(identity, hash);
    return hash;
  };
}

/** The writes of an import, and the mappings that it removes. */
interface IdentityPlan {
  readonly writes: Plan;
  readonly removed: readonly Mapping[];
}

/**
 * The writes that map exactly the identities of an import to their accounts, create new identities, and delete those whose last
 * mapping goes. An existing identity keeps its password and e-mail address. An account without identities in the import keeps
 * its mappings (spec/rses.md 1.30).
 *
 * @param now In milliseconds since 1970.
 * @throws InvalidObject, IdentityError (400).
 */
export async function planIdentities(
  latest: Table,
  accounts: readonly ImportedAccount[],
  { hashOf, now }: { readonly hashOf: ReturnType<typeof makePasswordHasher>; readonly now: number },
): Promise<IdentityPlan> {
  const wanted = accounts.flatMap(({ account, email, identities }) =>
    Array.from(byText(identities ?? []).values(), ({ type, identity, password }) => {
      return { type, identity, password, account, email: email ?? '' };
    }),
  );
  for (const identity of wanted) requireSoundIdentity(identity);
  const known = byText(await getIdentities(latest, wanted));
  const created = byText(wanted.filter((identity) => !known.has(textOf(identity))).toReversed());
  const writes: Write[] = [];
  await forEachLimited([...created.values()], maxParallel, async (identity) => {
    const { type, identity: text, email } = identity;
    const password = await hashOf(identity);
    const content = { type, identity: text, email, ...(password === undefined ? {} : { password }) };
    writes.push(insertIdentity(content, now, onRace));
  });
  const added: Mapping[] = [];
  const removed: Mapping[] = [];
  await forEachLimited(
    [...Map.groupBy(wanted, ({ account }) => account)],
    maxParallel,
    async ([account, identities]) => {
      const present = byText(await Array.fromAsync(listIdentitiesOf(latest, account)));
      for (const identity of identities) {
        const { email } = known.get(textOf(identity)) ?? created.get(textOf(identity)) ?? identity;
        const missing = !present.delete(textOf(identity));
        if (missing) added.push({ ...identity, email, isDefault: false });
      }
      removed.push(...present.values());
    },
  );
  for (const mapping of added) writes.push(...insertMapping(mapping, now, onRace));
  for (const mapping of removed) writes.push(...deleteMapping(mapping, onRace));
  const changes = new Map<string, number>();
  for (const [change, mappings] of [
    [1, added],
    [-1, removed],
  ] as const) {
    for (const mapping of mappings) changes.set(textOf(mapping), (changes.get(textOf(mapping)) ?? 0) + change);
  }
  const remapped = byText([...added, ...removed].filter((mapping) => !created.has(textOf(mapping))));
  await forEachLimited([...remapped.values()], maxParallel, async (key) => {
    const { identity, mappings } = await getIdentityWithMappings(latest, key);
    if (identity === undefined) return;
    const count = mappings.length + (changes.get(textOf(key)) ?? 0);
    writes.push(count > 0 ? touchIdentity(identity, onRace) : deleteIdentity(identity, onRace));
  });
  return { writes, removed };
}

const textOf = ({ type, identity }: IdentityKey) => JSON.stringify([type, identity]);

/** Identities by key; of several with one key the last. */
function byText<T extends IdentityKey>(identities: readonly T[]): Map<string, T> {
  return new Map(identities.map((identity) => [textOf(identity), identity]));
}

const onRace = () => new LostRace('an identity was changed concurrently');
