import type { Insert } from '../items/plan.ts';
import { identityKeys } from '../keys/identity-keys.ts';

/** An item outlives its challenge, whatever the clocks of the processes say. */
const marginSeconds = 3_600;

/** The write that uses up an SSH challenge of an account; `expiresAt` in milliseconds since 1970. */
export function useChallenge(account: string, challenge: string, expiresAt: number, onUsed: () => Error): Insert {
  const ttl = Math.ceil(expiresAt / 1_000) + marginSeconds;
  return { kind: 'insert', item: { ...identityKeys.usedChallenge(account, challenge), ttl }, onExists: onUsed };
}
