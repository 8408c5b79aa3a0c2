/** Two storages of one kind, whose faults are random, for measurements of movers. */
import { createHash } from 'node:crypto';

import { Adler32 } from '../../lib/movers/adler32.ts';
import type { Mover } from '../../lib/movers/mover.ts';
import { S3Mover } from '../../lib/movers/s3/s3-mover.ts';
import { WebdavMover } from '../../lib/movers/webdav/webdav-mover.ts';
import type { ChooseFault, StorageCall, StorageFault } from '../../test/support/faults-of-storage.ts';
import { startS3Service } from '../../test/support/s3-service.ts';
import type { ServedStorage } from '../../test/support/serve-storage.ts';
import { startWebdavService } from '../../test/support/webdav-service.ts';

/** The kinds of storage. */
export type StorageKind = 's3' | 'webdav';

/** Source and destination of copies. */
export interface MoveStorage {
  readonly servers: readonly ServedStorage[];
  readonly source: { readonly origin: string; readonly prefix: string };
  readonly destination: { readonly origin: string; readonly prefix: string };
  readonly attributes: Readonly<Record<string, string>>;
  readonly mover: Mover;
  /** Puts a file at the source. */
  readonly put: (path: string, content: string) => void;
  /** Everything at the destination, by path. */
  readonly copies: () => ReadonlyMap<string, string>;
  /** How often a file at the destination was written, by path. */
  readonly writes: ReadonlyMap<string, number>;
}

/** Impatient, so that silence costs little time. */
const retryPolicy = { answerMs: 3_000, slowAnswerMs: 3_000, attempts: 7, firstPauseMs: 20, longestPauseMs: 500 };

/** Counts how often the paths of a map below a prefix are set. */
function countWrites<T>(map: Map<string, T>, prefix: string): Map<string, number> {
  const writes = new Map<string, number>();
  const set = map.set.bind(map);
  map.set = (path, value) => {
    if (path.startsWith(prefix) && !path.endsWith('.part')) writes.set(path, (writes.get(path) ?? 0) + 1);
    return set(path, value);
  };
  return writes;
}

/** Starts the storages of a kind. */
export function startStorage(kind: StorageKind): Promise<MoveStorage> {
  return kind === 's3' ? startBuckets() : startServers();
}

async function startBuckets(): Promise<MoveStorage> {
  const service = await startS3Service();
  const keys = { accessKey: 'AKID', secretKey: 'secret', region: 'eu-test-1' };
  const { origin } = service;
  return {
    servers: [service],
    source: { origin, prefix: '/one' },
    destination: { origin, prefix: '/two' },
    attributes: { sign_url: 's3' },
    mover: new S3Mover({ findKeys: async () => keys, retryPolicy }),
    put: (path, content) => service.put(path, content),
    copies: () =>
      new Map(
        [...service.objects]
          .filter(([path]) => path.startsWith('/two/'))
          .map(([path, { content }]) => [path, content.toString()]),
      ),
    writes: countWrites(service.objects, '/two/'),
  };
}

async function startServers(): Promise<MoveStorage> {
  const [one, two] = [await startWebdavService(), await startWebdavService()];
  return {
    servers: [one, two],
    source: { origin: one.origin, prefix: '/store' },
    destination: { origin: two.origin, prefix: '/store' },
    attributes: {},
    mover: new WebdavMover({ findToken: async () => undefined, stallMs: 3_000, retryPolicy }),
    put: (path, content) => one.files.set(path, Buffer.from(content)),
    copies: () => new Map(Array.from(two.files, ([path, content]) => [path, content.toString()])),
    writes: countWrites(two.files, '/store/'),
  };
}

/** Shares of requests that go wrong. */
const shares: readonly (readonly [share: number, fault: StorageFault])[] = [
  [0.03, { status: 503, code: 'SlowDown' }],
  [0.01, { status: 500 }],
  [0.01, 'cut'],
  [0.01, 'lose answer'],
  [0.001, 'hang'],
];

/** Shares of copies that go wrong. */
const copyShares: typeof shares = [[0.005, 'corrupt']];
/** Shares of third-party copies that go wrong. */
const thirdPartyShares: typeof shares = [...copyShares, [0.01, 'cut in the middle']];

/** Lets some six requests in a hundred go wrong, and a few copies more; counts them by kind. */
export function makeFaults(counts: Map<string, number>): ChooseFault {
  return (call) => {
    let draw = Math.random();
    for (const [share, fault] of [...shares, ...sharesOf(call)]) {
      draw -= share;
      if (draw >= 0) continue;
      const name = typeof fault === 'object' ? String(fault.status) : fault;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return fault;
    }
    return undefined;
  };
}

function sharesOf({ method, headers }: StorageCall): typeof shares {
  if (method === 'COPY') return thirdPartyShares;
  return headers.has('x-amz-copy-source') ? copyShares : [];
}

/** The checksums of a content. */
export function checksumsOf(content: string) {
  const adler32 = new Adler32();
  adler32.update(Buffer.from(content));
  return { adler32: adler32.digest(), md5: createHash('md5').update(content).digest('hex') };
}
