import { fail } from '../errors.ts';
import type { Edge, EdgeRequest } from './exchange.ts';

/**
 * Chooses the media type of the answer where the route offers several, and refuses a request whose `Accept` header covers
 * nothing that the route answers (406, spec/dids.md 1.8).
 */
export function acceptCheck(): Edge {
  const choose = ({ context: { exchange } }: EdgeRequest) => {
    const offered = [exchange.match?.route.accept ?? []].flat();
    const accepted = exchange.http.headers['accept'];
    const [byDefault] = offered;
    if (byDefault === undefined) return;
    exchange.mediaType = byDefault;
    if (accepted === undefined || accepted.trim() === '') return;
    const ranges = accepted.split(',').map((range) => readRange(range));
    if (!offered.some((mediaType) => ranges.some((range) => covers(range, mediaType)))) {
      const list = offered.map((mediaType) => `'${mediaType}'`).join(', ');
      fail(
        'UnsupportedRequestedContentType',
        `The requested content type ${accepted} is not supported. Use [${list}].`,
      );
    }
    if (offered.length > 1) exchange.mediaType = best(offered, ranges);
  };
  return { before: choose };
}

interface MediaRange {
  readonly type: string;
  /** From 0 to 1; what is no number counts as 1. */
  readonly quality: number;
}

function readRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.flatMap((parameter) => /^q=([01](?:\.\d*)?)$/.exec(parameter)?.[1] ?? []);
  return { type, quality: Number(quality[0] ?? 1) };
}

function covers({ type }: MediaRange, mediaType: string): boolean {
  return type === '*/*' || type === mediaType || type === `${mediaType.split('/')[0]}/*`;
}

/**
 * The media type that is wanted most: of those with the best quality the one that is named most exactly, of several the
 * first one that is offered. Rucio looks at qualities to choose, and at nothing but names to refuse.
 */
function best(offered: readonly string[], ranges: readonly MediaRange[]): string {
  const wanted = (mediaType: string) =>
    Math.max(0, ...ranges.filter((range) => covers(range, mediaType)).map((range) => rank(range)));
  return offered.reduce((chosen, mediaType) => (wanted(mediaType) > wanted(chosen) ? mediaType : chosen));
}

/** A quality has three decimals. */
function rank({ type, quality }: MediaRange): number {
  const exactness = type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2;
  return quality === 0 ? 0 : quality + exactness / 10_000;
}
