import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Change, Insert } from '../items/plan.ts';
import { isKeyPart } from '../keys/key-parts.ts';
import { scopeKeys } from '../keys/scope-keys.ts';

/** A scope and the account that owns it. */
export interface Scope {
  readonly scope: string;
  readonly account: string;
}

/** The scope of a name. */
export async function getScope(table: Table, scope: string): Promise<Scope | undefined> {
  if (!isKeyPart(scope)) return undefined;
  const item = await table.get(scopeKeys.scope(scope));
  return item === undefined ? undefined : toScope(item);
}

/** All scopes in name order; `slice` by name. */
export function listScopes(table: Table, slice: Slice = {}): AsyncGenerator<Scope> {
  return table.query({ pk: scopeKeys.scope('').PK, ...slice }, toScope);
}

/** The scopes of an account in name order; `slice` by name. Eventually consistent. */
export function listScopesOf(table: Table, account: string, slice: Slice = {}): AsyncGenerator<Scope> {
  const range = { index: 'GSI1', pk: scopeKeys.ofAccount(account).GSI1PK, ...slice } as const;
  return table.query(range, toScope);
}

/** The write that inserts a scope. */
export function insertScope({ scope, account }: Scope, now: number, onExists: () => Error): Insert {
  return {
    kind: 'insert',
    item: {
      ...scopeKeys.scope(scope),
      ...scopeKeys.ofAccount(account),
      GSI1SK: scope,
      account,
      createdAt: now,
      updatedAt: now,
    },
    onExists,
  };
}

/** The write that changes the owner of a scope. */
export function changeScopeOwner({ scope, account }: Scope, now: number, onMissing: () => Error): Change {
  return {
    kind: 'change',
    key: scopeKeys.scope(scope),
    patch: { set: { ...scopeKeys.ofAccount(account), account, updatedAt: now } },
    onMismatch: onMissing,
  };
}

/** How often containers of a scope were attached to containers; undefined: never. */
export async function countNestings(table: Table, scope: string): Promise<number | undefined> {
  const count = (await table.get(scopeKeys.scope(scope)))?.['nestings'];
  return count === undefined ? undefined : Number(count);
}

/** How a plan depends on the attachments of containers of a scope to containers. */
interface NestingGuard {
  /** The plan adds one. */
  readonly raises: boolean;
  /** The count that the plan has read and depends on; without this member it does not depend on it. */
  readonly count?: number | undefined;
  readonly raced: () => Error;
}

/** The write that raises the count of attachments of containers, or only checks it. */
export function requireNestings(scope: string, { raced, raises, ...guard }: NestingGuard): Change {
  return {
    kind: 'change',
    key: scopeKeys.scope(scope),
    patch: { add: { nestings: 1 } },
    ...('count' in guard ? { when: { nestings: guard.count } } : {}),
    ...(raises ? {} : { isCheck: true }),
    isExact: true,
    onMismatch: raced,
  };
}

/** Reads a scope out of its item. */
export function toScope(item: Item): Scope {
  return { scope: item.SK, account: String(item['account']) };
}
