import { isAccountName } from '../../../lib/domain/accounts/find-account.ts';
import { keepRucioHash } from '../../../lib/domain/identities/password.ts';
import { isScopeName } from '../../../lib/domain/values/scope-name.ts';
import { insertGlobalLimit, insertLocalLimit } from '../../../lib/store/entities/account-limit.ts';
import { insertPastUsage } from '../../../lib/store/entities/account-usage.ts';
import { type AttributeValue, insertAccount } from '../../../lib/store/entities/account.ts';
import { putOption } from '../../../lib/store/entities/config-option.ts';
import { insertConvention, insertConventionValue } from '../../../lib/store/entities/convention.ts';
import { insertIdentity, insertMapping, isIdentityText } from '../../../lib/store/entities/identity.ts';
import { insertScope } from '../../../lib/store/entities/scope.ts';
import type { Row } from '../../rucio/relations.ts';
import { leftOut } from '../batch.ts';
import { makeRaceError } from '../race.ts';
import { section } from '../section.ts';

/** Few rows, so that the memory for the rows of their dependents stays small, too. */
const rowsPerRange = 500;

const refusedAccount = 'Dapple has no accounts of such names';
const refusedLimit = 'it has no bytes, or its account is not taken';

/** The sections of the configuration, of accounts and of what belongs to them. */
export const accountSections = [
  section({
    name: 'config',
    drives: 'configs',
    rowsPerRange,
    reads: { configs: ['section', 'opt'] },
    convert: ({ configs }, batch) => {
      for (const { section: name, opt, value, updated_at } of configs) {
        batch.take('configs', [name, opt], () => [
          putOption({ section: name, option: opt, value: value ?? '' }, undefined, updated_at),
        ]);
      }
    },
  }),
  section({
    name: 'accounts',
    drives: 'accounts',
    rowsPerRange,
    reads: {
      accounts: ['account'],
      account_attr_map: ['account'],
      account_limits: ['account'],
      account_glob_limits: ['account'],
    },
    convert: (rows, batch) => {
      const attributes = Map.groupBy(rows.account_attr_map, ({ account }) => account);
      const known = new Set(rows.accounts.map(({ account }) => account).filter(isAccountName));
      for (const row of rows.accounts) {
        const { account } = row;
        if (!known.has(account)) batch.note('accounts', [account], refusedAccount, leftOut);
        else batch.take('accounts', [account], () => [makeAccount(row, attributes.get(account) ?? [])]);
      }
      for (const { account, rse_id: rseId, bytes } of rows.account_limits) {
        if (bytes !== null && known.has(account)) batch.add(insertLocalLimit(account, { rseId, bytes }));
        else batch.note('account_limits', [account, rseId], refusedLimit, leftOut);
      }
      for (const { account, rse_expression: expression, bytes } of rows.account_glob_limits) {
        if (bytes !== null && known.has(account)) batch.add(insertGlobalLimit(account, { expression, bytes }));
        else batch.note('account_glob_limits', [account, expression], refusedLimit, leftOut);
      }
      for (const { account, key } of rows.account_attr_map) {
        if (!known.has(account)) batch.note('account_attr_map', [account, key], refusedAccount, leftOut);
      }
    },
  }),
  section({
    name: 'identities',
    drives: 'identities',
    rowsPerRange,
    reads: { identities: ['identity', 'identity_type'], account_map: ['identity', 'identity_type'] },
    convert: (rows, batch) => {
      const mappings = Map.groupBy(rows.account_map, keyOfIdentity);
      for (const row of rows.identities) {
        const { identity, identity_type: type, email, created_at } = row;
        const key = [type, identity];
        if (row.deleted === true) {
          batch.note('identities', key, 'it is deleted', leftOut);
          continue;
        }
        if (!isIdentityText(identity)) {
          batch.note('identities', key, 'it is empty or longer than 960 bytes', leftOut);
          continue;
        }
        const password = row.password === null || row.salt === null ? undefined : keepRucioHash(row.salt, row.password);
        if (password === undefined && type === 'USERPASS')
          batch.note('identities', key, 'it has no salted SHA-256 of a password', 'it cannot log in');
        const hash = password === undefined ? {} : { password };
        batch.add(insertIdentity({ type, identity, email, ...hash }, created_at, makeRaceError));
        for (const { account, is_default: isDefault, created_at: at } of mappings.get(keyOfIdentity(row)) ?? []) {
          batch.take('account_map', [...key, account], () =>
            insertMapping({ type, identity, email, account, isDefault }, at, makeRaceError),
          );
        }
      }
    },
  }),
  section({
    name: 'scopes',
    drives: 'scopes',
    rowsPerRange,
    reads: { scopes: ['scope'] },
    convert: ({ scopes }, batch) => {
      for (const { scope, account, status, created_at } of scopes) {
        if (!isScopeName(scope)) batch.note('scopes', [scope], 'Dapple has no scopes of such names', leftOut);
        else batch.add(insertScope({ scope, account }, created_at, makeRaceError));
        if (status !== 'O') batch.note('scopes', [scope], `its status is ${status}`, 'taken as open');
      }
    },
  }),
  section({
    name: 'conventions',
    drives: 'did_keys',
    rowsPerRange,
    reads: { did_keys: ['key'], did_key_map: ['key'] },
    convert: (rows, batch) => {
      for (const { key, key_type: keyType, value_type, value_regexp, created_at } of rows.did_keys) {
        const valueType = value_type === null ? {} : { valueType: value_type };
        const valueRegexp = value_regexp === null ? {} : { valueRegexp: value_regexp };
        batch.take('did_keys', [key], () => [
          insertConvention({ key, keyType, ...valueType, ...valueRegexp }, created_at, makeRaceError),
        ]);
      }
      for (const { key, value, created_at } of rows.did_key_map) {
        batch.take('did_key_map', [key, value], () => [insertConventionValue(key, value, created_at, makeRaceError)]);
      }
    },
  }),
  section({
    name: 'account-usage-history',
    drives: 'account_usage_history',
    rowsPerRange: 5_000,
    reads: { account_usage_history: ['account', 'rse_id', 'updated_at'] },
    convert: (rows, batch) => {
      for (const { account, rse_id: rseId, files, bytes, updated_at: at } of rows.account_usage_history) {
        const key = [account, rseId, at];
        if (!isAccountName(account)) batch.note('account_usage_history', key, refusedAccount, leftOut);
        else batch.take('account_usage_history', key, () => [insertPastUsage(account, rseId, { at, bytes, files })]);
      }
    },
  }),
];

const keyOfIdentity = ({ identity, identity_type }: { readonly identity: string; readonly identity_type: string }) =>
  `${identity_type}\n${identity}`;

function makeAccount(row: Row<'accounts'>, attributes: readonly Row<'account_attr_map'>[]) {
  return insertAccount(
    {
      account: row.account,
      type: row.account_type,
      status: row.status,
      email: row.email,
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)])),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      suspendedAt: row.suspended_at,
      deletedAt: row.deleted_at,
    },
    makeRaceError,
  );
}

/** The value of an attribute of an account or an RSE: Rucio stores truth values as texts. */
export function readValue(value: string | null): AttributeValue {
  const lower = value?.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : value;
}
