import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Node } from 'constructs';

/**
 * Gives a context the options of the file of its stage, `<folder>/<stage>.json`, if there is one. What the command line or
 * cdk.json say goes before.
 *
 * @throws Error that names the file, if it is not one object of texts and numbers, or names another stage.
 */
export function useSettings(node: Node, folder: string): void {
  const stage = String(node.tryGetContext('stage') ?? 'dev');
  const path = join(folder, `${stage}.json`);
  if (!/^[\w-]+$/.test(stage) || !existsSync(path)) return;
  for (const [name, value] of Object.entries(readSettings(path))) {
    if (name === 'stage' && value !== stage) throw new Error(`${path} is of stage ${value}, not ${stage}`);
    if (!/^\w+$/.test(name)) throw new Error(`${path} sets ${name}, which is no option`);
    if (node.tryGetContext(name) === undefined) node.setContext(name, value);
  }
}

function readSettings(path: string): Readonly<Record<string, string | number>> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} is not JSON`, { cause: error });
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new Error(`${path} is no object`);
  for (const [name, value] of Object.entries(content)) {
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new Error(`${path}: ${name} is neither a text nor a number`);
    }
  }
  return content as Readonly<Record<string, string | number>>;
}
