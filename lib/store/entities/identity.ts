import type { Range, Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Change, Insert } from '../items/plan.ts';
import { attributesReader, isFlag, isNumber, isText, optional } from '../items/read-attributes.ts';
import { accountKeys } from '../keys/account-keys.ts';
import { identityKeys, identityOf } from '../keys/identity-keys.ts';
import { isEncodablePart, type Key, lastPart } from '../keys/key-parts.ts';

/** Identifies an identity: its type and its text. */
export interface IdentityKey {
  readonly type: string;
  readonly identity: string;
}

/** An identity; it outlives its mappings to accounts. */
export interface Identity extends IdentityKey {
  readonly email: string;
  /** The hash of the password; only identities of type USERPASS have one. */
  readonly password?: string;
}

/** The permission of an identity to act for an account. */
export interface Mapping extends IdentityKey {
  readonly account: string;
  /** The identity's; it never changes. */
  readonly email: string;
  /** Whether it is the account of a login that names none. */
  readonly isDefault: boolean;
}

/** A mapping with its time. */
export interface StoredMapping extends Mapping {
  /** In milliseconds since 1970. */
  readonly createdAt: number;
}

/** Whether a text can be an identity: not empty, and short enough for a key. */
export function isIdentityText(text: string): boolean {
  return isEncodablePart(text);
}

/** The identity of a key. */
export async function getIdentity(table: Table, { type, identity }: IdentityKey): Promise<Identity | undefined> {
  const item = await table.get(identityKeys.identity(type, identity));
  return item === undefined ? undefined : toIdentity(item, { type, identity });
}

/** The identities of many keys, in no particular order; missing ones are left out. */
export async function getIdentities(table: Table, wanted: readonly IdentityKey[]): Promise<Identity[]> {
  const byPartition = new Map(
    wanted.map(({ type, identity }) => [identityKeys.identity(type, identity).PK, { type, identity }]),
  );
  const items = await table.getMany(
    [...byPartition.values()].map(({ type, identity }) => identityKeys.identity(type, identity)),
  );
  return items.flatMap((item) => {
    const key = byPartition.get(item.PK);
    return key === undefined ? [] : [toIdentity(item, key)];
  });
}

/** The identity of a key together with its mappings in the order of their accounts; one query. */
export async function getIdentityWithMappings(
  table: Table,
  key: IdentityKey,
): Promise<{ identity: Identity | undefined; mappings: StoredMapping[] }> {
  let identity: Identity | undefined;
  const mappings: StoredMapping[] = [];
  for await (const item of table.query({ pk: identityKeys.partition(key.type, key.identity) })) {
    if (item.SK === identityKeys.identity(key.type, key.identity).SK) identity = toIdentity(item, key);
    else mappings.push(toMapping(item, { ...key, account: lastPart(item) }));
  }
  return { identity, mappings };
}

/** The accounts that an identity may act for, in name order; `slice` by name. */
export function listAccountsOf(
  table: Table,
  { type, identity }: IdentityKey,
  { after, pageSize }: Slice = {},
): AsyncGenerator<string> {
  const { SK } = after === undefined ? {} : identityKeys.identityAccount(type, identity, after);
  const range = { pk: identityKeys.partition(type, identity), ...identityKeys.identityAccounts, after: SK, pageSize };
  return table.query(range, lastPart);
}

/** The identities that may act for an account, by type and text; `slice` by them. */
export async function* listIdentitiesOf(
  table: Table,
  account: string,
  { after, pageSize }: Slice<IdentityKey> = {},
): AsyncGenerator<Mapping> {
  const { SK } = after === undefined ? {} : identityKeys.accountIdentity(account, after.type, after.identity);
  const range: Range = { pk: accountKeys.account(account).PK, ...identityKeys.accountIdentities, after: SK, pageSize };
  for await (const item of table.query(range)) yield toMapping(item, { ...identityOf(item), account });
}

/** The write that inserts an identity. */
export function insertIdentity(identity: Identity, now: number, onExists: () => Error): Insert {
  const { type, identity: text, email, password } = identity;
  const item = { ...identityKeys.identity(type, text), email, createdAt: now };
  return { kind: 'insert', item: password === undefined ? item : { ...item, password }, onExists };
}

/** The write that replaces the hash of the password of an identity that was read. */
export function changePassword(
  { type, identity, password: former }: Identity,
  hash: string,
  raced: () => Error,
): Change {
  const key = identityKeys.identity(type, identity);
  return { kind: 'change', key, patch: { set: { password: hash } }, when: { password: former }, onMismatch: raced };
}

/** The two writes that map an identity to an account. */
export function insertMapping(mapping: Mapping, now: number, onExists: () => Error): readonly [Insert, Insert] {
  const { email, isDefault } = mapping;
  const [byAccount, byIdentity] = mappingKeys(mapping);
  const content = { email, isDefault, createdAt: now };
  return [
    { kind: 'insert', item: { ...byAccount, ...content }, onExists },
    { kind: 'insert', item: { ...byIdentity, ...content }, onExists },
  ];
}

/** The two writes that delete a mapping. */
export function deleteMapping(
  mapping: IdentityKey & { readonly account: string },
  onMissing: () => Error,
): readonly [Change, Change] {
  const [byAccount, byIdentity] = mappingKeys(mapping);
  return [
    { kind: 'change', key: byAccount, patch: { delete: true }, onMismatch: onMissing },
    { kind: 'change', key: byIdentity, patch: { delete: true }, onMismatch: onMissing },
  ];
}

function mappingKeys({ account, type, identity }: IdentityKey & { readonly account: string }): readonly [Key, Key] {
  return [identityKeys.accountIdentity(account, type, identity), identityKeys.identityAccount(type, identity, account)];
}

const readIdentity = /* @__PURE__ */ attributesReader<Omit<Identity, keyof IdentityKey>>({
  email: isText,
  password: /* @__PURE__ */ optional(isText),
});

const readMapping = /* @__PURE__ */ attributesReader<Omit<StoredMapping, keyof IdentityKey | 'account'>>({
  email: isText,
  isDefault: isFlag,
  createdAt: isNumber,
});

/** Reads an identity out of its item. */
export function toIdentity(item: Item, key: IdentityKey): Identity {
  return { ...key, ...readIdentity(item) };
}

function toMapping(item: Item, key: IdentityKey & { readonly account: string }): StoredMapping {
  return { ...key, ...readMapping(item) };
}
