/** A catalogue whose files are in a folder, with accounts of all roles, for the table of who can cause which deletion. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { Context } from '../../../lib/domain/values/context.ts';
import { addAccountAttribute } from '../../../lib/operations/accounts/account-attributes.ts';
import { addAccount } from '../../../lib/operations/accounts/add-account.ts';
import { addScope } from '../../../lib/operations/accounts/add-scope.ts';
import { setLimitOnRse } from '../../../lib/operations/accounts/set-account-limits.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { updateScope } from '../../../lib/operations/scopes/update-scope.ts';
import { newReaperCatalogue, type ReaperCatalogue } from '../../domain/deletion/reaper-catalogue.ts';
import { data } from '../../domain/dids/catalogue.ts';

/** Roles that try to have a file deleted. */
export const roles = ['stranger', 'quota', 'mover', 'country', 'owner', 'admin', 'root'] as const;
export type Role = (typeof roles)[number];

/** How the roles are called in the table. */
export const titles: Readonly<Record<Role, string>> = {
  stranger: 'any account',
  quota: 'with a quota',
  mover: 'mover',
  country: 'country admin',
  owner: 'owner of the scope',
  admin: 'admin',
  root: 'root',
};

const attributes: Partial<Record<Role, string>> = { mover: 'mover', admin: 'admin', country: 'country-ch' };

/** The catalogue. */
export interface DeletionWorld extends ReaperCatalogue {
  /** The context of a request of somebody, now. */
  as(role: Role): Context;
  /** Registers files of the scope `data`, as its owner, and writes them to the storage. */
  keep(names: readonly string[]): Promise<void>;
}

/** Makes the catalogue. The RSE `FULL` has the files; every role but the stranger has a quota on it, and a scope of its own. */
export async function newDeletionWorld(): Promise<DeletionWorld> {
  const world = await newReaperCatalogue();
  const as = (role: Role): Context => ({ ...world.at(), issuer: { account: role, identity: role } });
  for (const role of roles) {
    if (role !== 'root') await addAccount(world.at(), { account: role, type: 'USER', email: '' });
    await addScope(world.at(), { scope: `of-${role}`, account: role });
    const key = attributes[role];
    const value = key?.startsWith('country-') === true ? 'admin' : 'true';
    if (key !== undefined) await addAccountAttribute(world.at(), { account: role, key, value });
    if (role === 'stranger' || role === 'root') continue;
    for (const rse of ['FULL', 'OTHER']) await setLimitOnRse(world.at(), { account: role, rse, bytes: 1e12 });
  }
  await updateScope(world.at(), { scope: 'data', account: 'owner' });
  return {
    ...world,
    as,
    async keep(names) {
      const files = names.map((name) => ({ ...data(name), bytes: 10 }));
      for (let start = 0; start < files.length; start += 1_000) {
        const some = files.slice(start, start + 1_000);
        await addReplicas(as('owner'), { rse: 'FULL', files: some, ignore_availability: false });
      }
      for (const name of names) {
        await mkdir(dirname(world.pathOf(name)), { recursive: true });
        await writeFile(world.pathOf(name), '0123456789');
      }
    },
  };
}
