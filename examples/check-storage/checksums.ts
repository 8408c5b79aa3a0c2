import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';

import { Adler32 } from '../register-tree/adler32.ts';
import type { DumpedReplica } from './compare.ts';

/** A replica whose file has another content. */
export interface Corrupt {
  readonly replica: DumpedReplica;
  /** In words. */
  readonly found: string;
}

/**
 * Reads files of a folder, and compares them with the checksums of the catalogue. Files that are gone meanwhile, or whose checksum the
 * catalogue does not know, are left out.
 */
export async function findCorrupt(folder: string, replicas: readonly DumpedReplica[]): Promise<Corrupt[]> {
  const corrupt: Corrupt[] = [];
  for (const replica of replicas) {
    const found = await differenceOf(join(folder, replica.path ?? ''), replica);
    if (found !== undefined) corrupt.push({ replica, found });
  }
  return corrupt;
}

async function differenceOf(path: string, { adler32, md5 }: DumpedReplica): Promise<string | undefined> {
  const [kind, expected] = adler32 === null ? (['md5', md5] as const) : (['adler32', adler32] as const);
  if (expected === null) return undefined;
  try {
    const found = await sumOf(path, kind);
    return found === expected.toLowerCase().padStart(found.length, '0')
      ? undefined
      : `${kind} ${found} instead of ${expected}`;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? undefined : message;
  }
}

async function sumOf(path: string, kind: 'adler32' | 'md5'): Promise<string> {
  const [adler, md5] = [new Adler32(), createHash('md5')];
  for await (const chunk of createReadStream(path)) {
    if (kind === 'md5') md5.update(chunk as Buffer);
    else adler.update(chunk as Buffer);
  }
  return kind === 'md5' ? md5.digest('hex') : adler.digest();
}
