import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';

import { parseNamed } from '../../lib/json-names.ts';
import { toJson } from '../../lib/json.ts';
import type { ListedDid } from './source.ts';

/**
 * Writes a list of DIDs into a file, so that each part reads it without asking the server again.
 *
 * @param flags `a`: adds them to those in the file.
 * @returns The number of DIDs.
 */
export async function saveDids(dids: AsyncIterable<ListedDid>, file: string, flags: 'w' | 'a' = 'w'): Promise<number> {
  const handle = await open(file, flags, 0o600);
  let count = 0;
  let lines: string[] = [];
  const flush = async () => {
    await handle.write(lines.join(''));
    lines = [];
  };
  try {
    for await (const { scope, name, type } of dids) {
      lines.push(`${toJson([scope, name, type])}\n`);
      count += 1;
      if (lines.length >= 1_000) await flush();
    }
    await flush();
  } finally {
    await handle.close();
  }
  return count;
}

/** Reads the DIDs of a file that {@link saveDids} has written. */
export async function* readDids(file: string): AsyncGenerator<ListedDid> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const [scope, name, type] = parseNamed(line) as [string, string, string];
    yield { scope, name, type };
  }
}
