import type { DidKey } from '../contract/schemas/did.ts';
import { env } from '../env.ts';
import { type Guard, guardedStore } from '../store/guarded-store.ts';
import type { Item } from '../store/items/item.ts';
import type { Store } from '../store/open-store.ts';
import { findResource, isRsePointer, isSameItem, isUnsettled, type Resource, tagOf } from '../store/resource.ts';
import type { Exchange, GatewayAnswer } from './exchange.ts';
import type { Match } from './router.ts';

/** The store of a request. With `If-Match`, its writes are conditional on the named revision. */
export function openGuardedStore(exchange: Exchange, store: Store): Store {
  const guard = readGuard(exchange);
  return guard === undefined ? store : guardedStore(store, guard);
}

function readGuard({ match, http }: Exchange): Guard | undefined {
  const header = http.headers['if-match'];
  const resource = match === undefined || match.route.method === 'GET' ? undefined : resourceOf(match);
  if (header === undefined || resource === undefined) return undefined;
  return { resource, accepts: (tag) => listsTag(header, tag, 'strong') };
}

/** Records which items of a resource a request reads. */
export interface Watch {
  /** The store through which the request reads. */
  readonly store: Store;
  /** Adds the `ETag` of the revision that was read; answers 304 without a body if the caller has that revision. */
  readonly addTag: (answer: GatewayAnswer) => Promise<GatewayAnswer>;
}

/** Records the reads of a GET of a resource with revisions. Reads nothing itself. */
export function watchReads(exchange: Exchange, store: Store): Watch {
  const { match, http } = exchange;
  const resource = match === undefined || match.route.method !== 'GET' ? undefined : resourceOf(match);
  if (resource === undefined) return { store, addTag: (answer) => Promise.resolve(answer) };
  const table = store.table.caching(() => true);
  const addTag = async (answer: GatewayAnswer) => {
    const item = await findResource(resource, (key) => Promise.resolve(table.cached(key)));
    if (item === undefined) return answer;
    const tag = tagOf(item);
    const known = http.headers['if-none-match'];
    const isKnown =
      allows304() && known !== undefined && listsTag(known, tag, 'weak') && dependsOnlyOn(table.allCached(), item);
    if (isKnown && typeof answer.body !== 'string') answer.body.destroy();
    return isKnown
      ? { statusCode: 304, headers: { ETag: tag }, body: '' }
      : { ...answer, headers: { ...answer.headers, ETag: tag } };
  };
  return { store: { ...store, table }, addTag };
}

/** Whether a 304 is safe, which cannot have a body. */
function allows304(): boolean {
  return !(env.responseMode === 'stream' && env.fillsEmptyStreams);
}

/** Whether the answer depends on this item alone, so that an equal revision means an equal answer. */
function dependsOnlyOn(read: readonly Item[], item: Item): boolean {
  return !isUnsettled(item) && read.every((one) => isRsePointer(one) || isSameItem(one, item));
}

/** Whether a list of tags, or `*`, contains a tag. Weak tags never match for a write (RFC 9110, 13.1). */
function listsTag(header: string, tag: string, comparison: 'strong' | 'weak'): boolean {
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
