import { accountKeys } from './account-keys.ts';
import { join, type Key, type KeyPrefix } from './key-parts.ts';

const scopesPartition = 'SCOPES';

/** The keys of scopes. */
export const scopeKeys = {
  partition: scopesPartition,
  scope: (scope: string): Key => ({ PK: scopeKeys.partition, SK: join(scope) }),
  ofAccount: (account: string) => ({ GSI1PK: accountKeys.scopes(account) }),
} as const;

/** How the keys of these items begin. */
export const scopeItems = {
  scope: { PK: scopesPartition, SK: '' },
} as const satisfies Record<string, KeyPrefix>;
