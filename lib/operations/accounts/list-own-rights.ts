import type { OwnRights, RightsQuery } from '../../contract/schemas/rights.ts';
import { freshFacts } from '../../domain/permission/facts.ts';
import type { Action } from '../../domain/permission/permission-targets.ts';
import type { Asked } from '../../domain/permission/predicates.ts';
import { allowsAsked, rightOf } from '../../domain/permission/rights.ts';
import { subjectOf } from '../../domain/permission/subject.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { describeRight } from '../../policy/describe-right.ts';
import { actionNames } from '../../policy/rights.ts';
import { getLocalLimit } from '../../store/entities/account-limit.ts';

/**
 * What the caller may do with a scope, an account and an RSE, as the requests would decide now. Reads each fact once: the caller, the
 * scope, the RSE and the limit on it.
 *
 * @throws RSENotFound (404).
 */
export async function listOwnRights({ store, issuer }: Context, asked: RightsQuery): Promise<OwnRights> {
  const facts = freshFacts(store);
  const subject = subjectOf(issuer.account, {
    account: once((name) => facts.account(name)),
    scope: once((name) => facts.scope(name)),
  });
  const target = await targetOf(issuer.account, asked, store.table);
  const rights = await Promise.all(
    actionNames.map(async (action: Action) => {
      const may = await allowsAsked(action, subject, target);
      return [action, { may, who: describeRight(rightOf(action)) }] as const;
    }),
  );
  return Object.fromEntries(rights) as OwnRights;
}

async function targetOf(
  issuer: string,
  { scope = '', account = issuer, rse: rseName = '' }: RightsQuery,
  table: Context['store']['table'],
): Promise<Asked> {
  const rse = rseName === '' ? undefined : await requireCachedLiveRse(table, rseName);
  return {
    scope,
    scopes: [scope],
    account,
    accounts: [account],
    ruleAccounts: [account],
    locksRules: false,
    locked: false,
    isPrivileged: false,
    isOwn: account === issuer,
    isOrdinary: true,
    asksApproval: false,
    rseName,
    options: [],
    rses: () => Promise.resolve(rse === undefined ? [] : [rse]),
    files: () => Promise.resolve([{ scope, account: undefined }]),
    hasLimit: async () => rse !== undefined && (await getLocalLimit(table, issuer, rse.id)) !== undefined,
  };
}

function once<T>(read: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const results = new Map<string, Promise<T>>();
  return (name) => {
    const result = results.get(name) ?? read(name);
    results.set(name, result);
    return result;
  };
}
