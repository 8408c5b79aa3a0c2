import { rotateTokenKey } from '../lib/domain/tokens/rotate-token-key.ts';

/** Runs when Secrets Manager has the key that signs tokens rotated: once for each step. */
export const handler = rotateTokenKey;
