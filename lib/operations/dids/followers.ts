import type { DidKey } from '../../contract/schemas/did.ts';
import { knownAccountName } from '../../contract/schemas/names.ts';
import { findDid } from '../../domain/dids/find-did.ts';
import { rowsOfDid } from '../../domain/dids/rows-of-did.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { cachedFacts } from '../../domain/permission/facts.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { touchDid } from '../../store/entities/did.ts';
import { deleteFollower, insertFollower, isFollower, listFollowers } from '../../store/entities/follower.ts';
import { LostRace } from '../../store/items/plan.ts';

/**
 * The accounts that follow a DID (spec/dids.md 2.26).
 *
 * @throws DataIdentifierNotFound (404).
 */
export function listDidFollowers(
  { store: { table } }: Context,
  did: DidKey,
  page: Page = wholeList,
): AsyncGenerator<Placed<{ user: string }>> {
  return rowsOfDid(table, did, listUsers(table, did, page));
}

async function* listUsers(table: Table, did: DidKey, page: Page): AsyncGenerator<Placed<{ user: string }>> {
  if (!isValidDid(did)) return;
  const [after] = page.after ?? [];
  for await (const user of listFollowers(table, did, sliceOf(page, after))) yield placed({ user }, user);
}

/**
 * Makes any account follow a DID. Idempotent (spec/dids.md 2.26).
 *
 * @throws AccountNotFound, DataIdentifierNotFound (404).
 */
export async function follow(context: Context, did: DidKey, account: string): Promise<void> {
  const known = knownAccountName.safeParse(account).success && (await cachedFacts(context.store).account(account));
  if (!known) fail('AccountNotFound', `Account ID '${account}' does not exist`);
  await context.store.write(async (latest) => {
    const [, follows] = await Promise.all([findDid(latest, did), isValidDid(did) && isFollower(latest, did, account)]);
    return follows ? [] : [insertFollower(did, account, context.now, makeLostRace(did)), touchDid(did)];
  });
}

/**
 * Makes an account unfollow a DID. Idempotent (spec/dids.md 2.26).
 *
 * @throws AccessDenied (401) unless the issuer is the account itself or an administrator.
 */
export async function unfollow(context: Context, did: DidKey, account: string): Promise<void> {
  await authorize(context, 'remove_did_from_followed', { account });
  if (!isValidDid(did) || !knownAccountName.safeParse(account).success) return;
  await context.store.write(async (latest) =>
    (await isFollower(latest, did, account)) ? [deleteFollower(did, account, makeLostRace(did))] : [],
  );
}

const makeLostRace = (did: DidKey) => () => new LostRace(`the followers of ${formatDid(did)} changed`);
