import type { DidType } from '../lib/contract/schemas/did.ts';
import type { Did } from '../lib/store/entities/did.ts';
import { didItems } from '../lib/store/keys/did-keys.ts';
import type { KeyPrefix } from '../lib/store/keys/key-parts.ts';
import { ruleItems } from '../lib/store/keys/rule-keys.ts';
import { deliveredItems } from '../lib/store/stream/kinds.ts';
import type { Consumer } from '../lib/store/stream/owed-changes.ts';

/** A pattern for records in the form of Lambda's event filters: the leaves list values, or prefixes of values. */
export type StreamFilter = {
  readonly [name: string]: StreamFilter | readonly (string | { readonly prefix: string })[];
};

/** The types of collections, which may be new to subscriptions. */
const collectionTypes: readonly DidType[] = ['DATASET', 'CONTAINER'] satisfies Exclude<DidType, 'FILE'>[];

/** The attribute of a DID's item that holds its type. */
const typeAttribute = 'type' satisfies keyof Did;

/**
 * The records that the consumer for fast reactions reads: those of items whose changes are delivered. Most others are replicas,
 * and what the reactions write themselves. A few more records pass than are needed: a function has at most five filters.
 */
export const deliveredChanges: readonly StreamFilter[] = [
  keysLike(deliveredItems.filter(({ SK }) => SK === '')),
  keysLike(deliveredItems.filter(({ SK }) => SK !== '')),
];

/** The filter of keys that begin as one of the partition keys and one of the sort keys, if there are any. */
function keysLike(items: readonly KeyPrefix[]): StreamFilter {
  const choose = (part: keyof KeyPrefix) => {
    const beginnings = new Set(items.map((item) => item[part]).filter((text) => text !== ''));
    return beginnings.size === 0 ? {} : { [part]: { S: [...beginnings].map((prefix) => ({ prefix })) } };
  };
  return { dynamodb: { Keys: { ...choose('PK'), ...choose('SK') } } };
}

/** The records that the consumer for slow reactions reads: tasks, and collections that may be new. */
export const lengthyWork: readonly StreamFilter[] = [
  { dynamodb: { Keys: { PK: { S: [{ prefix: ruleItems.work.PK }] } } } },
  {
    dynamodb: {
      Keys: { PK: { S: [{ prefix: didItems.did.PK }] } },
      NewImage: { [typeAttribute]: { S: collectionTypes } },
    },
  },
];

/** Whether a consumer of the stream reads a record. */
export function isFor(consumer: Consumer, record: unknown): boolean {
  return passesFilters(record, consumer === 'fast' ? deliveredChanges : lengthyWork);
}

/** Whether a record matches one of some filters. */
export function passesFilters(record: unknown, filters: readonly StreamFilter[]): boolean {
  return filters.some((filter) => passesFilter(record, filter));
}

function passesFilter(record: unknown, filter: StreamFilter): boolean {
  for (const name in filter) {
    const found = typeof record === 'object' && record !== null ? (record as Record<string, unknown>)[name] : undefined;
    if (!meets(found, filter[name] ?? [])) return false;
  }
  return true;
}

function meets(found: unknown, wanted: StreamFilter[string]): boolean {
  if (!isChoices(wanted)) return passesFilter(found, wanted);
  return wanted.some((choice) =>
    typeof choice === 'string' ? found === choice : typeof found === 'string' && found.startsWith(choice.prefix),
  );
}

function isChoices(wanted: StreamFilter[string]): wanted is readonly (string | { readonly prefix: string })[] {
  return Array.isArray(wanted);
}
