import { rotateTokenKey } from '../lib/domain/tokens/rotate-token-key.ts';

/** Secrets Manager calls this once for each step of a rotation of the signing key of tokens. */
export const handler = rotateTokenKey;
