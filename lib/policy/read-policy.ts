import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { findPolicyFlaws } from './find-policy-flaws.ts';
import type { Policy } from './policy.ts';

const folder = fileURLToPath(new URL('../../policies/', import.meta.url));

/** The policy of processes that name none. */
export const defaultPolicy = 'generic';

/** The names of the policies that come with Dapple. */
export function listPolicies(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => basename(file, '.ts'))
    .toSorted();
}

/** The file of a policy: of one that comes with Dapple by its name, of any other by its path. */
export function pathOfPolicy(given: string): string {
  return /^[\w-]+$/.test(given) ? `${folder}${given}.ts` : resolve(given);
}

/**
 * Reads a policy.
 *
 * @param given Its name, or the path of its file.
 * @throws Error that tells what is wrong with it, and in which line.
 */
export async function readPolicy(given = defaultPolicy): Promise<Policy> {
  const path = pathOfPolicy(given);
  const text = await readText(given, path);
  const module = await importPolicy(path);
  const flaws = findPolicyFlaws(module.default);
  if (flaws.length === 0) return module.default as Policy;
  const lines = flaws.map(({ member, reason }) => `${path}:${lineOf(text, member)}: ${member}: ${reason}`);
  throw new Error(`The policy cannot be used:\n${lines.join('\n')}`);
}

async function readText(given: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    const known = listPolicies().join(', ');
    throw new Error(`there is no policy ${given}: name one of ${known}, or the path of a file such as ./my-policy.ts`);
  }
}

async function importPolicy(path: string): Promise<{ readonly default?: unknown }> {
  try {
    return (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
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
