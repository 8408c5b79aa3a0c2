import { join, type Key } from './key-parts.ts';

/** The keys of scopes. */
export const scopeKeys = {
  scope: (scope: string): Key => ({ PK: 'SCOPES', SK: join(scope) }),
  ofAccount: (account: string) => ({ GSI1PK: join('A', account, 'SCOPES') }),
} as const;
