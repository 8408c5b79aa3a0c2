/** A storage of each kind, and copies between any two of them, for the tests of the streaming mover. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { Adler32 } from '../../lib/movers/adler32.ts';
import type { CopyJob, CopyPlace } from '../../lib/movers/mover.ts';
import { type CopyLife, StreamMover } from '../../lib/movers/stream/stream-mover.ts';
import type { ChooseFault } from '../support/faults-of-storage.ts';
import { startS3Service } from '../support/s3-service.ts';
import { startWebdavService } from '../support/webdav-service.ts';

/** The kinds of storage. */
export const kinds = ['posix', 's3', 'webdav'] as const;
type Kind = (typeof kinds)[number];

/** All pairs of kinds. */
export const pairs = kinds.flatMap((from) => kinds.map((to) => [from, to] as const));

/** One storage. */
export interface StreamEnd {
  readonly kind: Kind;
  put(name: string, content: Buffer): Promise<void>;
  /** Everything in it by name, what attempts have left included. */
  contents(): Promise<Map<string, Buffer>>;
  place(name: string): CopyPlace;
  /** Chooses faults of its requests; a folder has none. */
  setFaults(choose: ChooseFault | undefined): void;
}

/** Objects of more bytes are written in parts. */
export const partBytes = 1_000;

/** The storages, each with an RSE for sources and one for destinations. */
export async function startEnds() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'dapple-stream-')));
  const [s3, dav] = [await startS3Service(), await startWebdavService()];
  const retryPolicy = { attempts: 3, firstPauseMs: 1, longestPauseMs: 1 };
  const keys = { accessKey: 'AKID', secretKey: 'secret', region: 'eu-test-1' };
  /** A mover as a new process has it. */
  const newMover = (upload = { partBytes }, answerMs = 300, slowAnswerMs = 600, life?: CopyLife) =>
    new StreamMover({
      folders: [folder],
      findKeys: async () => keys,
      findToken: async () => 'token',
      retryPolicy: { ...retryPolicy, answerMs, slowAnswerMs },
      upload,
      ...(life === undefined ? {} : { life }),
    });
  const escape = (name: string) => name.split('/').map(encodeURIComponent).join('/');
  const end = (kind: Kind, side: string): StreamEnd => {
    const root = { posix: `${folder}/${side}/`, s3: `/bucket/${side}/`, webdav: `/store/${side}/` }[kind];
    const origin = { posix: '', s3: s3.origin, webdav: dav.origin }[kind];
    const below = <T>(map: ReadonlyMap<string, T>, read: (one: T) => Buffer) =>
      new Map([...map].flatMap(([path, one]) => (path.startsWith(root) ? [[path.slice(root.length), read(one)]] : [])));
    return {
      kind,
      place: (name) => ({
        rse: { id: `${kind}-${side}`, rse: `${kind}-${side}`, attributes: kind === 's3' ? { sign_url: 's3' } : {} },
        pfn: kind === 'posix' ? `file://localhost${root}${name}` : `${origin}${root}${name}`,
        prefix: root,
        ...(kind === 'posix' ? {} : { url: `${origin}${root}${escape(name)}` }),
      }),
      put: async (name, content) => {
        if (kind === 's3') s3.put(root + name, content);
        if (kind === 'webdav') dav.files.set(root + name, content);
        if (kind !== 'posix') return;
        await mkdir(dirname(root + name), { recursive: true });
        await writeFile(root + name, content);
      },
      contents: async () => {
        if (kind === 's3') return below(s3.objects, ({ content }) => content);
        if (kind === 'webdav') return below(dav.files, (content) => content);
        const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
        const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
        return new Map(
          await Promise.all(files.map(async (path) => [path.slice(root.length), await readFile(path)] as const)),
        );
      },
      setFaults: (choose) => {
        if (kind !== 'posix') (kind === 's3' ? s3 : dav).setFaults(choose);
      },
    };
  };
  return {
    s3,
    dav,
    folder,
    newMover,
    /** A mover that soon gives up a storage that does not answer. */
    newHastyMover: () => newMover({ partBytes }, 100, 200),
    source: (kind: Kind) => end(kind, 'from'),
    destination: (kind: Kind) => end(kind, 'to'),
    /** The path of a file of this machine. */
    pathOf: ({ pfn }: CopyPlace) => pfn.replace('file://localhost', ''),
    /** Begins an object in parts, and leaves it. */
    beginUpload: async ({ url = '' }: CopyPlace) => {
      await fetch(`${url}?uploads=`, { method: 'POST' });
    },
    /** Forgets everything, faults included. */
    clear: async () => {
      for (const one of [s3, dav]) one.setFaults(undefined);
      s3.objects.clear();
      dav.files.clear();
      for (const one of s3.uploads.keys()) s3.dropUpload(one);
      await rm(folder, { recursive: true });
      await mkdir(folder);
    },
    close: async () => {
      await Promise.all([s3.close(), dav.close()]);
      await rm(folder, { recursive: true });
    },
  };
}

/** The checksums of content. */
export function sumsOf(content: Buffer) {
  const sum = new Adler32();
  sum.update(content);
  return { bytes: content.length, adler32: sum.digest(), md5: createHash('md5').update(content).digest('hex') };
}

/** A copy of content that the catalogue knows. */
export function jobOf(
  source: CopyPlace,
  destination: CopyPlace,
  content: Buffer,
  more: Partial<CopyJob> = {},
): CopyJob {
  const { bytes, adler32 } = sumsOf(content);
  return { id: 'lease1', source, destination, bytes, adler32, replaces: false, requireLease: () => {}, ...more };
}
