/** A storage of each kind with random faults, and movers between them that may be killed, for measurements of `mover=stream`. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { startS3Service } from '../../test/support/s3-service.ts';
import { startWebdavService } from '../../test/support/webdav-service.ts';
import { makeFaults } from './move-storage.ts';

/** The kinds of storage. */
export const kinds = ['posix', 's3', 'webdav'] as const;
export type Kind = (typeof kinds)[number];

/** One storage of each kind. */
export interface StreamStorage {
  /** The scheme with host and port; undefined: files of this machine. */
  address(kind: Kind): URL | undefined;
  /** The folder of an RSE. */
  prefix(kind: Kind, rse: string): string;
  put(kind: Kind, path: string, content: string): Promise<void>;
  /** Everything below a prefix by its path, what attempts have left included. */
  contents(kind: Kind, prefix: string): Promise<Map<string, string>>;
  /** The number of uploads in parts that are not over. */
  uploads(): number;
  /** Lets requests go wrong from now on; counts the faults. @param counts Undefined: no more. */
  setFaults(counts: Map<string, number> | undefined): void;
  close(): Promise<void>;
}

/** Starts the storages. @param folder Of the files of this machine. */
export async function startStreamStorage(folder: string): Promise<StreamStorage> {
  const [s3, dav] = [await startS3Service(), await startWebdavService()];
  const below = <T>(map: ReadonlyMap<string, T>, prefix: string, read: (one: T) => Buffer) =>
    new Map(Array.from(map).flatMap(([path, one]) => (path.startsWith(prefix) ? [[path, String(read(one))]] : [])));
  return {
    address: (kind) => (kind === 'posix' ? undefined : new URL((kind === 's3' ? s3 : dav).origin)),
    prefix: (kind, rse) => ({ posix: `${folder}/${rse}`, s3: `/bucket/${rse}`, webdav: `/store/${rse}` })[kind],
    put: async (kind, path, content) => {
      if (kind === 's3') s3.put(path, content);
      if (kind === 'webdav') dav.files.set(path, Buffer.from(content));
      if (kind !== 'posix') return;
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    },
    contents: async (kind, prefix) => {
      if (kind === 's3') return below(s3.objects, `${prefix}/`, ({ content }) => content);
      if (kind === 'webdav') return below(dav.files, `${prefix}/`, (content) => content);
      const found = await readdir(prefix, { recursive: true, withFileTypes: true }).catch(() => []);
      const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      return new Map(await Promise.all(files.map(async (path) => [path, await readFile(path, 'utf8')] as const)));
    },
    uploads: () => s3.uploads.size,
    setFaults: (counts) => {
      for (const one of [s3, dav]) one.setFaults(counts === undefined ? undefined : makeFaults(counts));
    },
    close: async () => {
      await Promise.all([s3.close(), dav.close()]);
    },
  };
}
