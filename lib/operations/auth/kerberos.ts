import { fail } from '../../errors.ts';

/**
 * Refuses a request that needs a Kerberos principal. API Gateway does not support Kerberos, and a principal from a header
 * could be forged (spec/access.md 1.4, 2.5).
 *
 * @param message Rucio's message for a request without a principal.
 * @throws ValueError (400).
 */
export function refuseKerberos(message: string): never {
  return fail('ValueError', message);
}
