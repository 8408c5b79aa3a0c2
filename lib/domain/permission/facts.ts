import { type Account, getAccount } from '../../store/entities/account.ts';
import { getScope, type Scope } from '../../store/entities/scope.ts';
import type { Store } from '../../store/open-store.ts';

/** What permissions are decided on. */
export interface Facts {
  account(name: string): Promise<Account | undefined>;
  scope(name: string): Promise<Scope | undefined>;
}

/** How long a fact is remembered, in milliseconds: bans and changes of ownership take effect within this time. */
const memory = 60_000;

interface Remembered {
  readonly fact: Account | Scope;
  readonly until: number;
}

/** By the name of the table, then by kind and name. */
const remembered = new Map<string, Map<string, Remembered>>();

/** Facts as they stand in the table. */
export function freshFacts({ table }: Store): Facts {
  return {
    account: (name) => remember(table.name, `account ${name}`, getAccount(table, name)),
    scope: (name) => remember(table.name, `scope ${name}`, getScope(table, name)),
  };
}

/** The same facts as this process has seen them within the last minute. What is not there is not remembered. */
export function rememberedFacts(store: Store): Facts {
  const fresh = freshFacts(store);
  const { name: tableName } = store.table;
  return {
    account: (name) => recall<Account>(tableName, `account ${name}`) ?? fresh.account(name),
    scope: (name) => recall<Scope>(tableName, `scope ${name}`) ?? fresh.scope(name),
  };
}

/** Forgets a fact that this process has just changed, in whichever table. */
export function forgetFact(kind: 'account' | 'scope', name: string): void {
  for (const facts of remembered.values()) facts.delete(`${kind} ${name}`);
}

function recall<T extends Account | Scope>(tableName: string, key: string): Promise<T> | undefined {
  const known = remembered.get(tableName)?.get(key);
  return known === undefined || known.until < Date.now() ? undefined : Promise.resolve(known.fact as T);
}

async function remember<T extends Account | Scope>(
  tableName: string,
  key: string,
  read: Promise<T | undefined>,
): Promise<T | undefined> {
  const fact = await read;
  const facts = remembered.get(tableName) ?? new Map<string, Remembered>();
  remembered.set(tableName, facts);
  if (fact === undefined) facts.delete(key);
  else {
    if (facts.size > 10_000) facts.clear();
    facts.set(key, { fact, until: Date.now() + memory });
  }
  return fact;
}
