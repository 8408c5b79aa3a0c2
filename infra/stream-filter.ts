import type { DidType } from '../lib/contract/schemas/did.ts';
import type { Did } from '../lib/store/entities/did.ts';
import { ruleItems } from '../lib/store/keys/rule-keys.ts';

/** A pattern for records in the form of Lambda's event filters: the leaves list values, or prefixes of values. */
export type StreamFilter = {
  readonly [name: string]: StreamFilter | readonly (string | { readonly prefix: string })[];
};

/** The types of collections, which may be new to subscriptions. */
const collectionTypes: readonly DidType[] = ['DATASET', 'CONTAINER'] satisfies Exclude<DidType, 'FILE'>[];

/** The attribute of a DID's item that holds its type. */
const typeAttribute = 'type' satisfies keyof Did;

/** The records that the consumer for slow reactions reads: tasks, and collections that may be new. */
export const lengthyWork: readonly StreamFilter[] = [
  { dynamodb: { Keys: { PK: { S: [{ prefix: ruleItems.work.PK }] } } } },
  { dynamodb: { NewImage: { [typeAttribute]: { S: collectionTypes } } } },
];

/** Whether a record matches a filter. */
export function passesFilter(record: unknown, filter: StreamFilter): boolean {
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
