import { hash } from 'node:crypto';

import { join, type Key } from './key-parts.ts';

/** The keys of log-ins by OpenID Connect. One partition each: callers without a token begin them. */
export const oidcKeys = {
  login: (id: string): Key => ({ PK: join('OIDCLOGIN', id), SK: 'LOGIN' }),
  /** Hashed, since a token is a secret. */
  session: (token: string): Key => ({
    PK: join('OIDCSESSION', hash('sha256', token, 'base64url')),
    SK: 'SESSION',
  }),
} as const;
