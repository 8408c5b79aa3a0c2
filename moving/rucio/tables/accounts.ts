import { bytes, flag, id, integer, relation, text, time } from '../columns.ts';

const dates = { created_at: time, updated_at: time };

/** Accounts, scopes and the configuration in Rucio's database. */
export const accountRelations = {
  accounts: relation({
    tables: ['accounts'],
    required: { account: text, account_type: text, status: text, ...dates },
    optional: { email: text, suspended_at: time, deleted_at: time },
  }),
  account_attr_map: relation({
    tables: ['account_attr_map'],
    required: { account: text, key: text },
    optional: { value: text },
  }),
  account_limits: relation({
    tables: ['account_limits'],
    required: { account: text, rse_id: id },
    optional: { bytes: integer },
  }),
  account_glob_limits: relation({
    tables: ['account_glob_limits'],
    required: { account: text, rse_expression: text },
    optional: { bytes: integer },
  }),
  account_usage: relation({
    tables: ['account_usage'],
    required: { account: text, rse_id: id },
    optional: { files: integer, bytes: integer },
  }),
  account_usage_history: relation({
    tables: ['account_usage_history'],
    required: { account: text, rse_id: id, files: integer, bytes: integer, updated_at: time },
    optional: {},
  }),
  identities: relation({
    tables: ['identities'],
    required: { identity: text, identity_type: text, email: text, created_at: time },
    optional: { password: text, salt: bytes, deleted: flag },
  }),
  account_map: relation({
    tables: ['account_map'],
    required: { identity: text, identity_type: text, account: text, is_default: flag, created_at: time },
    optional: {},
  }),
  scopes: relation({
    tables: ['scopes'],
    required: { scope: text, account: text, status: text, created_at: time },
    optional: {},
  }),
  configs: relation({
    tables: ['configs'],
    required: { section: text, opt: text, updated_at: time },
    optional: { value: text },
  }),
  did_keys: relation({
    tables: ['did_keys'],
    required: { key: text, key_type: text, created_at: time },
    optional: { value_type: text, value_regexp: text },
  }),
  did_key_map: relation({
    tables: ['did_key_map'],
    required: { key: text, value: text, created_at: time },
    optional: {},
  }),
  vos: relation({ tables: ['vos'], required: { vo: text }, optional: {} }),
} as const;
