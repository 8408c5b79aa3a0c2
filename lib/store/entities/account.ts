import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { type Check, isFlag, isNumber, isText, itemReader, nullable, readAttribute } from '../items/read-attributes.ts';
import { accountKeys } from '../keys/account-keys.ts';
import { isKeyPart, lastPart } from '../keys/key-parts.ts';

/** An account; dates in milliseconds since 1970. */
export interface Account {
  readonly account: string;
  readonly type: string;
  readonly status: string;
  readonly email: string | null;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly suspendedAt: number | null;
  readonly deletedAt: number | null;
}

/** The value of an account's attribute. */
export type AttributeValue = string | boolean | null;

/** The prefix of account attributes on the item: one item attribute each, so that two can be added concurrently. */
const attributePrefix = 'attr:';

/** The account of a name, whatever its status. */
export async function getAccount(table: Table, account: string): Promise<Account | undefined> {
  if (!isKeyPart(account)) return undefined;
  const item = await table.get(accountKeys.account(account));
  return item === undefined ? undefined : toAccount(item);
}

/** The accounts of many names in the order of their names, whatever their status. */
export async function getAccounts(table: Table, accounts: readonly string[]): Promise<Account[]> {
  const items = await table.getMany(accounts.map(accountKeys.account));
  return items.map(toAccount).sort((a, b) => (a.account < b.account ? -1 : 1));
}

/** All accounts in name order, or those whose name begins with a prefix; `slice` by name. Eventually consistent. */
export function listAccounts(table: Table, prefix = '', slice: Slice = {}): AsyncGenerator<Account> {
  const bounds = prefix === '' ? {} : { from: prefix, to: `${prefix}\uffff` };
  const range = { index: 'GSI1', pk: accountKeys.accounts.GSI1PK, ...bounds, ...slice } as const;
  return table.query(range, toAccount);
}

/** The write that inserts an account. */
export function insertAccount(account: Account, onExists: () => Error): Insert {
  const { account: name, attributes, ...rest } = account;
  const prefixed = Object.entries(attributes).map(([key, value]) => [attributePrefix + key, value] as const);
  return {
    kind: 'insert',
    item: {
      ...accountKeys.account(name),
      GSI1PK: accountKeys.accounts.GSI1PK,
      GSI1SK: name,
      ...rest,
      ...Object.fromEntries(prefixed),
    },
    onExists,
  };
}

/** The write that changes an account; `when`: the values that it must have. */
export function changeAccount(
  account: string,
  change: Partial<Omit<Account, 'account' | 'attributes'>>,
  onMismatch: () => Error,
  when: { readonly status?: string } = {},
): Change {
  return { kind: 'change', key: accountKeys.account(account), patch: { set: change }, when, onMismatch };
}

/** The condition that an account is active when a plan takes effect. */
export function requireStillActive(account: string): Change {
  return {
    kind: 'change',
    key: accountKeys.account(account),
    patch: { add: { rev: 1 } },
    when: { status: 'ACTIVE' },
    isCheck: true,
    isExact: true,
    onMismatch: () => new LostRace(`the account ${account} was changed concurrently`),
  };
}

/** The write that adds a missing attribute to an active account. */
export function insertAttribute(
  account: string,
  { key, value }: { readonly key: string; readonly value: AttributeValue },
  onMismatch: (existing: Account | undefined) => Error,
): Change {
  const attribute = attributePrefix + key;
  return {
    kind: 'change',
    key: accountKeys.account(account),
    patch: { set: { [attribute]: value } },
    when: { status: 'ACTIVE', [attribute]: undefined },
    onMismatch: (item) => onMismatch(item === undefined ? undefined : toAccount(item)),
  };
}

/** The write that deletes an attribute that has the value that was read. */
export function deleteAttribute(
  account: string,
  { key, value }: { readonly key: string; readonly value: AttributeValue },
): Change {
  const attribute = attributePrefix + key;
  return {
    kind: 'change',
    key: accountKeys.account(account),
    patch: { remove: [attribute] },
    when: { [attribute]: value },
    onMismatch: () => new LostRace(),
  };
}

const isAttributeValue: Check<AttributeValue> = (value) => value === null || isText(value) || isFlag(value);

const readAccount = itemReader<Omit<Account, 'account' | 'attributes'>>({
  type: isText,
  status: isText,
  email: nullable(isText),
  createdAt: isNumber,
  updatedAt: isNumber,
  suspendedAt: nullable(isNumber),
  deletedAt: nullable(isNumber),
});

/** Reads an account out of its item. */
export function toAccount(item: Item): Account {
  // A map, since an attribute may have any key.
  const attributes = new Map<string, AttributeValue>();
  const account = readAccount(item, { account: lastPart({ PK: '', SK: item.PK }) }, (name) => {
    if (!name.startsWith(attributePrefix)) return;
    attributes.set(name.slice(attributePrefix.length), readAttribute(item, name, isAttributeValue));
  });
  return { ...account, attributes: Object.fromEntries(attributes) };
}
