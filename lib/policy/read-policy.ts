import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { policies } from '../../policies/index.ts';
import { findPolicyFlaws } from './find-policy-flaws.ts';
import { definePolicy, type Policy } from './policy.ts';

/** The policy of processes that name none. */
export const defaultPolicy = 'generic';

/** The names of the policies that come with Dapple. */
export const policyNames: readonly string[] = Object.keys(policies);

/**
 * Reads a policy.
 *
 * @param given Its name, or the path of its file, which need not say what is as in the generic one.
 * @throws Error that tells what is wrong with it, and in which line.
 */
export async function readPolicy(given = defaultPolicy): Promise<Policy> {
  const known = Object.hasOwn(policies, given) ? policies[given] : undefined;
  return known === undefined ? readFromFile(given) : (await known()).default;
}

async function readFromFile(given: string): Promise<Policy> {
  const path = resolve(given);
  const text = await readText(given, path);
  const own = await importDefault(path);
  const isObject = typeof own === 'object' && own !== null;
  const policy = isObject ? definePolicy(await readPolicy(), own as Policy) : own;
  const flaws = findPolicyFlaws(policy);
  if (flaws.length === 0) return policy as Policy;
  const lines = flaws.map(({ member, reason }) => `${path}:${lineOf(text, member)}: ${member}: ${reason}`);
  throw new Error(`The policy cannot be used:\n${lines.join('\n')}`);
}

async function readText(given: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    const known = policyNames.join(', ');
    throw new Error(`there is no policy ${given}: name one of ${known}, or the path of a file such as ./my-policy.ts`);
  }
}

async function importDefault(path: string): Promise<unknown> {
  try {
    return ((await import(pathToFileURL(path).href)) as { readonly default?: unknown }).default;
  } catch (error) {
    throw new Error(`The policy ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** The line of a member such as `lists.created`; that of its parent if it stands in none, and 1 if nothing does. */
function lineOf(text: string, member: string): number {
  const lines = text.split('\n');
  let found = 0;
  for (const name of member.split('.')) {
    const mark = new RegExp(String.raw`(?:^|[\s{,'"])${name.replaceAll(/\W/g, String.raw`\$&`)}['"]?\s*[:,(]`);
    const at = lines.findIndex((line, index) => index >= found && mark.test(line));
    if (at !== -1) found = at;
  }
  return found + 1;
}
