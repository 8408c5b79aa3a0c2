import { useEffect, useState } from 'preact/hooks';

import { type Asked, isWaiting, noteAsked } from './late-focus.ts';

/** A place in the page: the decoded parts of the fragment, and its query. */
export interface Place {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

/**
 * The URL of a place. Places are in the fragment: names with slashes, dots or anything else then pass every server and
 * proxy unchanged, because they never see them.
 */
export function placeUrl(parts: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
  return `#/${parts.map((part) => encodeURIComponent(part)).join('/')}${search}`;
}

/** When the place was asked for to which `go` is going. */
let goingSince: Asked | undefined;

/**
 * Goes to a place; with `replace` the present one leaves no trace in the history. `asked`: when the reader asked for the
 * place, if that is not now.
 */
export function go(url: string, { replace = false, asked }: { replace?: boolean; asked?: Asked } = {}): void {
  // A relative URL would be one of <base>, which lacks the file of the page.
  const target = location.href.replace(/#.*$/s, '') + url;
  if (replace) history.replaceState(null, '', target);
  else history.pushState(null, '', target);
  goingSince = asked;
  dispatchEvent(new HashChangeEvent('hashchange'));
  goingSince = undefined;
}

/** Goes to a place that has to be found first, unless the reader goes elsewhere meanwhile. Throws as `find`. */
export async function goToFound(find: () => Promise<string | undefined>): Promise<void> {
  const [before, asked] = [location.hash, noteAsked()];
  const url = await find();
  if (url !== undefined && location.hash === before) go(url, { asked });
}

let arrival: Asked | undefined;

/** Says that the reader has arrived at a page in another way than by its address, such as by a log-in. */
export function arrive(): void {
  arrival = goingSince ?? noteAsked();
}

/**
 * Whether the reader has come here from another place of the page, and has only waited for this one; true once for
 * each.
 */
export function takeArrival(): boolean {
  const asked = arrival;
  arrival = undefined;
  return isWaiting(asked);
}

/** The present place; the component is rendered again when it changes. */
export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () =>
      setHash((before) => {
        if (pageOf(before) !== pageOf(location.hash)) arrive();
        return location.hash;
      });
    addEventListener('hashchange', follow);
    addEventListener('popstate', follow);
    // Between the rendering and now the reader may have gone on.
    follow();
    return () => {
      removeEventListener('hashchange', follow);
      removeEventListener('popstate', follow);
    };
  }, []);
  return readPlace(hash);
}

/** A fragment without its query: changing a filter or a tab is no other page. */
function pageOf(hash: string): string {
  return hash.split('?')[0] ?? '';
}

/** Parses a fragment; parts that are no valid escapes stay as they are. */
export function readPlace(hash: string): Place {
  const [path = '', ...query] = hash.replace(/^#\/?/, '').split('?');
  return {
    parts: path.split('/').filter(Boolean).map(decode),
    query: new URLSearchParams(query.join('?')),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
