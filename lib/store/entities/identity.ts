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

/** An identity. It is deleted with its last mapping to an account. */
export interface Identity extends IdentityKey {
  readonly email: string;
  /** The hash of the password; only identities of type USERPASS have one. */
  readonly password?: string;
  /** How often the password was set anew, absent: never. Tokens of former passwords have other numbers. */
  readonly generation?: number;
  /** How often its mappings have changed, absent: never; serialises changes of them. */
  readonly revision?: number;
}

/** Basis of a token: the mapping of an identity to the account, and its password. The token ends with either. */
export interface Origin extends IdentityKey {
  /** When the identity was mapped to the account, in milliseconds since 1970. */
  readonly mappedAt: number;
  /** The generation of the password; 0 for an identity without one. */
  readonly generation: number;
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

/** The present basis of a token of an identity for an account; undefined: it is not mapped. One request. */
export async function getOrigin(table: Table, account: string, key: IdentityKey): Promise<Origin | undefined> {
  const { type, identity } = key;
  const place = identityKeys.identity(type, identity);
  const items = await table.getMany([
    identityKeys.accountIdentity(account, type, identity),
    ...(hasPassword(key) ? [place] : []),
  ]);
  const mapping = items.find(({ PK }) => PK !== place.PK);
  const found = items.find(({ PK }) => PK === place.PK);
  if (mapping === undefined || (hasPassword(key) && found === undefined)) return undefined;
  return originOf(found && toIdentity(found, key), toMapping(mapping, { ...key, account }));
}

/** Basis of a token that is issued for a mapping. */
export function originOf(identity: Identity | undefined, { type, identity: text, createdAt }: StoredMapping): Origin {
  return { type, identity: text, mappedAt: createdAt, generation: identity?.generation ?? 0 };
}

/** Whether identities of this type have a password. */
export function hasPassword({ type }: Pick<IdentityKey, 'type'>): boolean {
  return type === 'USERPASS';
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
): AsyncGenerator<StoredMapping> {
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

/** The write that sets a new password of an identity that was read; its tokens end. */
export function setPassword(
  { type, identity, password: former, generation = 0 }: Identity,
  { password }: { readonly password: string },
  raced: () => Error,
): Change {
  const key = identityKeys.identity(type, identity);
  const patch = { set: { password, generation: generation + 1 } };
  return { kind: 'change', key, patch, when: { password: former }, onMismatch: raced };
}

/** The write that makes an identity without mappings, as it was read, as new. */
export function renewIdentity(
  { type, identity, generation = 0, revision = 0 }: Identity,
  content: { readonly email: string; readonly password?: string },
  raced: () => Error,
): Change {
  const key = identityKeys.identity(type, identity);
  const patch = { set: { ...content, generation: generation + 1, revision: revision + 1 } };
  const when = { revision: revision === 0 ? undefined : revision };
  return { kind: 'change', key, patch, when, onMismatch: raced };
}

/** The write that says that the mappings of an identity that was read change: it is refused if they have changed since. */
export function touchIdentity({ type, identity, revision }: Identity, raced: () => Error): Change {
  const key = identityKeys.identity(type, identity);
  const patch = { set: { revision: (revision ?? 0) + 1 } };
  return { kind: 'change', key, patch, when: { revision }, onMismatch: raced };
}

/** The write that deletes an identity that was read, if its mappings have not changed since. */
export function deleteIdentity({ type, identity, revision }: Identity, raced: () => Error): Change {
  const key = identityKeys.identity(type, identity);
  return { kind: 'change', key, patch: { delete: true }, when: { revision }, onMismatch: raced };
}

/** The write that replaces the hash of the same password of an identity that was read; its tokens stay. */
export function changeHash({ type, identity, password: former }: Identity, hash: string, raced: () => Error): Change {
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

const readIdentity = attributesReader<Omit<Identity, keyof IdentityKey>>({
  email: isText,
  password: optional(isText),
  generation: optional(isNumber),
  revision: optional(isNumber),
});

const readMapping = attributesReader<Omit<StoredMapping, keyof IdentityKey | 'account'>>({
  email: isText,
  isDefault: isFlag,
  createdAt: isNumber,
});

/** Reads an identity out of its item. */
export function toIdentity(item: Item, key: IdentityKey): Identity {
  return { ...key, ...readIdentity(item) };
}

/** Reads a mapping out of either of its items. */
export function toMapping(item: Item, key: IdentityKey & { readonly account: string }): StoredMapping {
  return { ...key, ...readMapping(item) };
}
