import type { Protocol } from '../../../store/entities/rse-protocol.ts';

/** The name of a protocol's class below Rucio's package of protocols, such as `gfal.Default`. */
export function implementation({ impl }: Protocol): string {
  return impl.replace(/^rucio\.rse\.protocols\./, '');
}

/** The prefix of a protocol with a leading and a trailing slash (spec/rses.md 6.2). */
export function rootedPrefix({ prefix }: Protocol): string {
  const front = (prefix ?? '').startsWith('/') ? (prefix ?? '') : `/${prefix ?? ''}`;
  return front.endsWith('/') ? front : `${front}/`;
}

/** A text in a protocol's extended attributes; empty when absent or no text. */
export function extendedText({ extendedAttributes }: Protocol, key: string): string {
  if (typeof extendedAttributes !== 'object' || extendedAttributes === null) return '';
  const value = Object.hasOwn(extendedAttributes, key) ? (extendedAttributes as Record<string, unknown>)[key] : '';
  return typeof value === 'string' ? value : '';
}

/** The hostname of a protocol without the scheme that some include. */
export function bareHost({ hostname }: Protocol): string {
  return hostname.split('://')[1] ?? hostname;
}
