import { join, resolve } from 'node:path';

import { policyNames } from '../lib/policy/read-policy.ts';
import { projectRoot } from './project-root.ts';

/** The file of a policy: of one that comes with Dapple by its name, of any other by its path. */
export function fileOfPolicy(given: string): string {
  return policyNames.includes(given) ? join(projectRoot, 'policies', `${given}.ts`) : resolve(given);
}
