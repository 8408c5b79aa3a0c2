import type { Protocol } from '../../../store/entities/rse-protocol.ts';

/** The name of a protocol's class below Rucio's package of protocols, such as `gfal.Default`. */
export function implementation({ impl }: Protocol): string {
  return impl.replace(/^rucio\.rse\.protocols\./, '');
}

/** The prefix of a protocol with a slash before and behind it (spec/rses.md 6.2); what stands between is kept. */
export function rootedPrefix({ prefix }: Protocol): string {
  const front = (prefix ?? '').startsWith('/') ? (prefix ?? '') : `/${prefix ?? ''}`;
  return front.endsWith('/') ? front : `${front}/`;
}

/** A member of a protocol's extended attributes that is a text; empty where there is none. */
export function extendedText({ extendedAttributes }: Protocol, key: string): string {
  if (typeof extendedAttributes !== 'object' || extendedAttributes === null) return '';
  const value = Object.hasOwn(extendedAttributes, key) ? (extendedAttributes as Record<string, unknown>)[key] : '';
  return typeof value === 'string' ? value : '';
}

/** The hostname of a protocol without the scheme that some come with. */
export function bareHost({ hostname }: Protocol): string {
  return hostname.split('://')[1] ?? hostname;
}
