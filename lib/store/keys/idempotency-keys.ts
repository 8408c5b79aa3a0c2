import { createHash } from 'node:crypto';

import { join, type Key } from './key-parts.ts';

/** The keys of the answers that are kept for repeats. */
export const idempotencyKeys = {
  /** A partition each, so that a caller who sends many requests fills none; hashed, since callers choose any text. */
  answer: (account: string, key: string): Key => ({
    PK: join('IDEMPOTENCY', account, createHash('sha256').update(key).digest('base64url')),
    SK: 'ANSWER',
  }),
} as const;
