import type { DidKey } from '../contract/schemas/did.ts';
import { type Guard, guardedStore } from '../store/guarded-store.ts';
import type { Item } from '../store/items/item.ts';
import type { Store } from '../store/open-store.ts';
import { findResource, isRsePointer, isSameItem, isUnsettled, type Resource, tagOf } from '../store/resource.ts';
import type { Exchange, GatewayAnswer } from './exchange.ts';
import type { Match } from './router.ts';

/** The store of a request, which sees to it that what its `If-Match` says holds when it takes effect. */
export function storeWhile(exchange: Exchange, store: Store): Store {
  const guard = guardOf(exchange);
  return guard === undefined ? store : guardedStore(store, guard);
}

function guardOf({ match, http }: Exchange): Guard | undefined {
  const header = http.headers['if-match'];
  const resource = match === undefined || match.route.method === 'GET' ? undefined : resourceOf(match);
  if (header === undefined || resource === undefined) return undefined;
  return { resource, accepts: (tag) => names(header, tag, 'strong') };
}

/** What the reads of a request say of the resource that it is about. */
export interface Watch {
  /** What the request reads through. */
  readonly store: Store;
  /** The answer with the tag of what was read; without a body where the caller has that already (304). */
  readonly tagged: (answer: GatewayAnswer) => Promise<GatewayAnswer>;
}

/** Watches what a request reads, if it is one that reads a resource with revisions. Reads nothing itself. */
export function watchReads(exchange: Exchange, store: Store): Watch {
  const { match, http } = exchange;
  const resource = match === undefined || match.route.method !== 'GET' ? undefined : resourceOf(match);
  if (resource === undefined) return { store, tagged: (answer) => Promise.resolve(answer) };
  const table = store.table.caching(() => true);
  const tagged = async (answer: GatewayAnswer) => {
    const item = await findResource(resource, (key) => Promise.resolve(table.cached(key)));
    if (item === undefined) return answer;
    const tag = tagOf(item);
    const isKnown = names(http.headers['if-none-match'] ?? '', tag, 'weak') && saysAll(table.allCached(), item);
    if (isKnown && typeof answer.body !== 'string') answer.body.destroy();
    return isKnown
      ? { statusCode: 304, headers: { ETag: tag }, body: '' }
      : { ...answer, headers: { ...answer.headers, ETag: tag } };
  };
  return { store: { ...store, table }, tagged };
}

/** Whether an answer followed from one item and nothing else, so that it is the same as long as the item is. */
function saysAll(read: readonly Item[], item: Item): boolean {
  return !isUnsettled(item) && read.every((one) => isRsePointer(one) || isSameItem(one, item));
}

/** Whether a list of tags, or `*`, names one; a weak tag is no reason to write (RFC 9110, 13.1). */
function names(header: string, tag: string, comparison: 'strong' | 'weak'): boolean {
  if (header.trim() === '*') return true;
  const tags = Array.from(header.matchAll(/(W\/)?("[^"]*")/g), ([, weak, opaque]) => ({ weak, opaque }));
  return tags.some(({ weak, opaque }) => opaque === tag && (weak === undefined || comparison === 'weak'));
}

function resourceOf({ route, params }: Match): Resource | undefined {
  const text = (name: string) => String(params[name]);
  switch (route.resource) {
    case 'did':
      return { kind: 'did', did: params['did'] as DidKey };
    case 'rule':
      return { kind: 'rule', id: text('rule_id') };
    case 'rse':
      return { kind: 'rse', name: text('rse') };
    case 'subscription':
      return { kind: 'subscription', account: text('account'), name: text('name') };
    case 'option':
      return { kind: 'option', section: text('section'), option: text('option') };
    default:
      return undefined;
  }
}
