/** The memory of the streaming mover for large files, each kind of storage once as the source and as the destination. */
import { execFile } from 'node:child_process';
import { mkdir, open, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ContentSum } from '../../lib/movers/content-sum.ts';
import type { CopyPlace } from '../../lib/movers/mover.ts';
import { contentFrom, startLargeStorage } from './large-storage.ts';
import type { Kind } from './stream-storage.ts';

const ring: readonly (readonly [from: Kind, to: Kind])[] = [
  ['posix', 's3'],
  ['s3', 'webdav'],
  ['webdav', 'posix'],
];

/** Copies a file of some bytes between each pair, in a process of its own. @param parent A folder for the files of this machine. */
export async function measureLarge(bytes: number, parent: string): Promise<void> {
  const folder = await realpath(parent);
  const storage = await startLargeStorage(bytes);
  try {
    const { adler32 } = await writeSource(join(folder, 'from'), bytes);
    for (const [from, to] of ring) {
      const [source, destination] = [
        placeOf(from, 'from', folder, storage.origin),
        placeOf(to, 'to', folder, storage.origin),
      ];
      const job = JSON.stringify({ folder, source, destination, bytes, adler32 });
      const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'stream-one.ts'), job]);
      const { seconds, processorSeconds, megabytes } = JSON.parse(stdout) as Record<
        'seconds' | 'processorSeconds' | 'megabytes',
        number
      >;
      const rate = bytes / 1e6 / processorSeconds;
      console.log(
        `${(bytes / 2 ** 30).toFixed(1)} GiB from ${from} to ${to}: ${seconds.toFixed(0)} s, ${rate.toFixed(0)} MB for each second of the processor, ${megabytes.toFixed(0)} MB of memory at most`,
      );
    }
  } finally {
    storage.server.closeAllConnections();
    storage.server.close();
    for (const side of ['from', 'to']) await rm(join(folder, side), { recursive: true, force: true });
  }
}

async function writeSource(folder: string, bytes: number) {
  await mkdir(folder);
  const [sum, file] = [new ContentSum(), await open(join(folder, 'f'), 'w')];
  for (const part of contentFrom(0, bytes)) {
    sum.update(part);
    await file.write(part);
  }
  await file.close();
  return sum.digest();
}

function placeOf(kind: Kind, side: string, folder: string, origin: string): CopyPlace {
  const root = { posix: `${folder}/${side}/`, s3: `/bucket/${side}/`, webdav: `/store/${side}/` }[kind];
  const rse = { id: `${kind}-${side}`, rse: kind, attributes: kind === 's3' ? { sign_url: 's3' } : {} };
  return kind === 'posix'
    ? { rse, pfn: `file://localhost${root}f`, prefix: root }
    : { rse, pfn: `${origin}${root}f`, prefix: root, url: `${origin}${root}f` };
}
