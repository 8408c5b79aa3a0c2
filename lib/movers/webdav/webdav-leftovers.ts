import { type Leftover, type Leftovers, readPartName } from '../leftovers.ts';
import { readText } from '../read-answer.ts';
import { readElements } from '../read-xml.ts';
import type { RetryPolicy } from '../retry-policy.ts';
import type { WebdavClient } from './webdav-client.ts';
import type { WebdavPlace } from './webdav-place.ts';

/** A copy to a WebDAV server that begins. */
interface BegunCopy {
  readonly client: WebdavClient;
  readonly to: WebdavPlace;
  readonly leftovers: Leftovers;
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
}

/** The most of a list of a folder that is read, in bytes. */
const maxListBytes = 4 * 2 ** 20;

/** No copy waits longer for a list. */
const maxListMs = 10_000;

/** The most parts of a file that are deleted before it is copied. */
const maxDeletions = 10;

/**
 * Deletes what attempts that were killed have left of a file: no server continues an upload. Parts of other files stay, however old
 * their server says that they are: it may tell the time of their source. Each is tried once, since the copy waits.
 */
export async function deleteLeftovers({ client, to, leftovers, retryPolicy, signal }: BegunCopy): Promise<void> {
  const folder = new URL('.', to.url).href;
  const list = async () => {
    const timeoutMs = Math.min(retryPolicy.answerMs, maxListMs);
    const { answer } = await client.open(
      { ...to, method: 'PROPFIND', headers: { Depth: '1' }, timeoutMs, url: folder },
      signal,
    );
    return readList(await readText(answer, folder, signal, maxListBytes));
  };
  const found = await leftovers.take(folder, to.url, { list });
  for (const { name } of found.slice(0, maxDeletions)) {
    const url = new URL(name, folder).href;
    try {
      const request = { ...to, method: 'DELETE', url, timeoutMs: retryPolicy.answerMs };
      await readText((await client.open(request, signal)).answer, url, signal);
    } catch {
      return;
    }
  }
}

/** The parts of files in the list of a folder: what is certainly no folder, which would be deleted with all that is in it. */
function readList(xml: string): Leftover[] {
  return readElements(xml, 'response').flatMap((entry) => {
    const flag = entry.get('iscollection')?.toLowerCase();
    const isTypedAsFile = flag === undefined ? entry.has('resourcetype') : flag === '0' || flag === 'false';
    const href = entry.get('href') ?? '';
    const part =
      isTypedAsFile && !entry.has('collection') ? readPartName(href.slice(href.lastIndexOf('/') + 1)) : undefined;
    return part === undefined ? [] : [part];
  });
}
