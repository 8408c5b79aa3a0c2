import type { StorageRse } from '../mover.ts';

const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The servers that the attribute `fts` of an RSE names, without a slash at their ends: its tokens go to no others. */
export function listHosts({ attributes }: StorageRse): string[] {
  const { fts } = attributes;
  if (typeof fts !== 'string') return [];
  return fts
    .split(',')
    .map((host) => host.trim().replace(/\/+$/, ''))
    .filter(isAddress);
}

/** An address with TLS; without it on this machine only, since a token goes there. */
function isAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && localHosts.has(url.hostname));
}
