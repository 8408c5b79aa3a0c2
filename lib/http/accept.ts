import { fail } from '../errors.ts';
import type { Edge, EdgeRequest } from './exchange.ts';

/** Refuses a request whose `Accept` header covers nothing that the route answers (406, spec/dids.md 1.8). */
export function acceptCheck(): Edge {
  const refuse = ({ context: { exchange } }: EdgeRequest) => {
    const offered = exchange.match?.route.accept;
    const accepted = exchange.http.headers['accept'];
    if (offered === undefined || accepted === undefined || accepted.trim() === '') return;
    if (!accepted.split(',').some((range) => covers(range, offered))) {
      fail(
        'UnsupportedRequestedContentType',
        `The requested content type ${accepted} is not supported. Use ['${offered}'].`,
      );
    }
  };
  return { before: refuse };
}

/** Quality values and other parameters of a media range are ignored, as Rucio does. */
function covers(range: string, mediaType: string): boolean {
  const wanted = range.split(';')[0]?.trim().toLowerCase();
  return wanted === '*/*' || wanted === mediaType || wanted === `${mediaType.split('/')[0]}/*`;
}
