import { env } from '../env.ts';
import type { Policy } from './policy.ts';

/**
 * The policy of this process. Bundles have the policy of the stack in the place of this module, so that they hold no other and
 * read nothing.
 */
const chosen: Policy = await loadPolicy();
export default chosen;

async function loadPolicy(): Promise<Policy> {
  const { readPolicy } = await import('./read-policy.ts');
  return readPolicy(env.policy);
}
