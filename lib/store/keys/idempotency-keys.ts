import { hash } from 'node:crypto';

import { join, type Key } from './key-parts.ts';

/** The keys of the answers that are kept for repeated requests. */
export const idempotencyKeys = {
  /** One partition per answer, so that no caller makes a partition hot. Hashed, since callers choose any text. */
  answer: (account: string, key: string): Key => ({
    PK: join('IDEMPOTENCY', account, hash('sha256', key, 'base64url')),
    SK: 'ANSWER',
  }),
} as const;
