import { fail } from '../errors.ts';
import type { Edge, EdgeRequest } from './exchange.ts';

/**
 * Chooses the media type of the answer among those that the route offers. Refuses a request whose `Accept` header
 * allows none of them (406, spec/dids.md 1.8).
 */
export function negotiateMediaType(): Edge {
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
    if (offered.length > 1) exchange.mediaType = choosePreferred(offered, ranges);
  };
  return { before: choose };
}

interface MediaRange {
  readonly type: string;
  /** From 0 to 1; 1 where the header has no valid number. */
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
 * The preferred media type: highest quality first, then the most specific range, then the order of the offer. Like
 * Rucio, the refusal ignores qualities; only the choice reads them.
 */
function choosePreferred(offered: readonly string[], ranges: readonly MediaRange[]): string {
  const wanted = (mediaType: string) =>
    Math.max(0, ...ranges.filter((range) => covers(range, mediaType)).map((range) => rankRange(range)));
  return offered.reduce((chosen, mediaType) => (wanted(mediaType) > wanted(chosen) ? mediaType : chosen));
}

/** A quality has at most three decimals, so the specificity cannot outweigh it. */
function rankRange({ type, quality }: MediaRange): number {
  const exactness = type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2;
  return quality === 0 ? 0 : quality + exactness / 10_000;
}
