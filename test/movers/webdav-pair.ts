/** Two WebDAV servers, and jobs of the mover from the first to the second, for its tests. */
import { Adler32 } from '../../lib/movers/adler32.ts';
import type { CopyJob, CopyPlace } from '../../lib/movers/mover.ts';
import { WebdavMover } from '../../lib/movers/webdav/webdav-mover.ts';
import type { StorageCall } from '../support/faults-of-storage.ts';
import { startWebdavService, type WebdavOptions, type WebdavService } from '../support/webdav-service.ts';

/** A signal that never aborts. */
export const never = new AbortController().signal;

/** A mover that retries at once. */
export const makeMover = ({ stallMs = 10_000, slowAnswerMs = 10_000 } = {}) =>
  new WebdavMover({
    findToken: async ({ rse }) => `token of ${rse}`,
    stallMs,
    retryPolicy: { answerMs: 10_000, slowAnswerMs, attempts: 4, firstPauseMs: 1, longestPauseMs: 1 },
  });

const running: WebdavService[] = [];

/** Starts a server that {@link closeServices} closes. */
export async function startService(options?: WebdavOptions): Promise<WebdavService> {
  const service = await startWebdavService(options);
  running.push(service);
  return service;
}

/** Closes all servers. */
export async function closeServices(): Promise<void> {
  await Promise.all(running.splice(0).map((service) => service.close()));
}

/** The name of the file. */
export const name = 'a b/f?%#ä';

/** Two servers, of which the first has a file. */
export async function startPair(first: WebdavOptions = {}, second: WebdavOptions = {}) {
  const one = await startService({ token: 'token of ONE', ...first });
  const two = await startService({ token: 'token of TWO', ...second });
  one.files.set(`/store/${name}`, Buffer.from('hello'));
  return { one, two };
}

/** Two servers. */
export type Pair = Awaited<ReturnType<typeof startPair>>;

/** The place of the file on a server. */
export const place = (rse: string, { origin }: WebdavService): CopyPlace => ({
  rse: { id: rse, rse, attributes: {} },
  pfn: `${origin}/store/${name}`,
  prefix: '/store/',
  url: `${origin}/store/${name.split('/').map(encodeURIComponent).join('/')}`,
});

/** The checksum of a text. */
export const adler32Of = (content: string) => {
  const sum = new Adler32();
  sum.update(Buffer.from(content));
  return sum.digest();
};

/** The copy of the file to the second server. */
export const jobOf = ({ one, two }: Pair, more: Partial<CopyJob> = {}): CopyJob => ({
  id: 'lease1',
  source: place('ONE', one),
  destination: place('TWO', two),
  bytes: 5,
  adler32: adler32Of('hello'),
  replaces: false,
  requireLease: () => {},
  ...more,
});

/** The files of the second server. */
export const stored = ({ two }: Pair) =>
  Object.fromEntries([...two.files].map(([path, content]) => [path, content.toString()]));

/** The files of the second server after the copy. */
export const copied = { [`/store/${name}`]: 'hello' };

/** Whether a request is a third-party copy. */
export const isCopy = ({ method }: StorageCall) => method === 'COPY';
