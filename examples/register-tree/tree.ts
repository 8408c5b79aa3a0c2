import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import { adler32 } from './adler32.ts';

/** A file of the tree with its registered metadata. */
export interface TreeFile {
  readonly name: string;
  readonly bytes: number;
  readonly adler32: string;
  readonly md5: string;
}

/** The regular files below a folder, as relative paths in order. */
export async function listTree(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted();
}

/** Reads a file of the tree and computes its checksums. */
export async function measureFile(root: string, path: string, prefix: string): Promise<TreeFile> {
  const data = await readFile(join(root, path));
  return {
    name: didName(prefix, path),
    bytes: data.length,
    adler32: adler32(data),
    md5: createHash('md5').update(data).digest('hex'),
  };
}

const maxNameCharacters = 250;

/**
 * The DID name of a path. Characters that a DID name cannot contain become `_` and their code in hex. A name that
 * becomes too long is cut and gets a hash.
 */
export function didName(prefix: string, path: string): string {
  const name = `${prefix}/${path.replaceAll(/[^/A-Za-z0-9.-]/g, (c) => `_${c.codePointAt(0)?.toString(16)}`)}`;
  if (name.length <= maxNameCharacters) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${name.slice(0, maxNameCharacters - hash.length - 1)}_${hash}`;
}
