import { fail } from '../../errors.ts';

/**
 * Refuses what needs a Kerberos principal: API Gateway does not speak Kerberos, and a principal out of a header would be
 * anybody's word (spec/access.md 1.4, 2.5).
 *
 * @param message Of Rucio for a request without a principal.
 * @throws ValueError (400).
 */
export function refuseGss(message: string): never {
  return fail('ValueError', message);
}
