import type { CopyPlace, StorageRse } from '../mover.ts';

/** An address at a server of WebDAV, and the token that it may get. */
export interface WebdavPlace {
  readonly url: string;
  /** The bearer token, if the server wants one. */
  readonly token: string | undefined;
  /** The RSE, for people. */
  readonly rse: string;
  /** The other hosts to which the server may redirect, with the tokens: names, or `*.` and a domain. */
  readonly hosts: readonly string[];
}

/** One end of a copy. The attribute `token_hosts` of its RSE names the hosts that may get its tokens besides its own. */
export function placeOf({ rse, url, pfn }: CopyPlace, token: string | undefined): WebdavPlace {
  if (url === undefined) throw new Error(`${pfn} is no address of WebDAV.`);
  return { url, token, rse: rse.rse, hosts: listHosts(rse) };
}

/** The place of a file of another name in the same folder. */
export const besideOf = (place: WebdavPlace, name: string): WebdavPlace => ({
  ...place,
  url: new URL(encodeURIComponent(name), place.url).href,
});

function listHosts({ attributes }: StorageRse): string[] {
  const { token_hosts: hosts } = attributes;
  return typeof hosts === 'string'
    ? hosts
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean)
    : [];
}

/** Whether a request may be sent on to an address, with the tokens that it has: they must not leave TLS, nor go to any host. */
export function mayRedirect({ url, hosts }: WebdavPlace, next: URL): boolean {
  const own = new URL(url);
  if (next.protocol !== own.protocol || next.username !== '' || next.password !== '') return false;
  const { hostname } = next;
  return hostname === own.hostname || hosts.some((host) => isNamed(hostname, host));
}

/** A star stands for one label or several. */
function isNamed(hostname: string, host: string): boolean {
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) && hostname.length >= host.length : hostname === host;
}
