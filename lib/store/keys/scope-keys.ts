import { accountKeys } from './account-keys.ts';
import { join, type Key, type KeyPrefix } from './key-parts.ts';

/** The keys of scopes. */
export const scopeKeys = {
  partition: 'SCOPES',
  scope: (scope: string): Key => ({ PK: scopeKeys.partition, SK: join(scope) }),
  ofAccount: (account: string) => ({ GSI1PK: accountKeys.scopes(account) }),
} as const;

/** How the keys of these items begin. */
export const scopeItems = {
  scope: { PK: scopeKeys.partition, SK: '' },
} as const satisfies Record<string, KeyPrefix>;
