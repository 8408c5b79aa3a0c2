import { type WebdavClient, WebdavError } from './webdav-client.ts';
import type { WebdavPlace } from './webdav-place.ts';

/** Makes the folders of a file from the prefix of its RSE on, the outer ones first. */
export async function makeFolders(client: WebdavClient, to: WebdavPlace, prefix: string): Promise<void> {
  const { origin, pathname } = new URL(to.url);
  const depth = prefix.split('/').length - 1;
  const parts = pathname.split('/').slice(0, -1);
  for (let count = Math.max(2, depth); count <= parts.length; count += 1) {
    const folder = `${origin}${parts.slice(0, count).join('/')}/`;
    await client.send({ ...to, method: 'MKCOL', url: folder }).catch((error: unknown) => {
      // It is there, or the copy will tell what is wrong.
      if (!(error instanceof WebdavError)) throw error;
    });
  }
}
