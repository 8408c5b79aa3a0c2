import { entryOf } from './costs.ts';
import { identify, isObject } from './normalise.ts';
import type { JudgedRequest } from './request.ts';
import type { State } from './state.ts';
import { tables } from './tables.ts';

/** The largest number of pages of a query whose pages are compared together. */
const allPages = 200;

/**
 * The request; if it queries a partition of an index with entries that have equal keys, it is marked as unordered and
 * read to its end. DynamoDB defines no order among such entries, so a page may end at any of them.
 */
export function unorderTies(request: JudgedRequest, state: State): JudgedRequest {
  return hasTies(request, state) ? { ...request, ordered: false, pages: allPages } : request;
}

function hasTies({ operation, body }: JudgedRequest, state: State): boolean {
  const table = tables.find(({ name }) => name === body['TableName']);
  const index = table?.indexes.find(({ name }) => name === body['IndexName']);
  const values = body['ExpressionAttributeValues'];
  if (operation !== 'Query' || table === undefined || index === undefined || !isObject(values)) return false;
  const asked = new Set(Object.values(values).map(identify));
  const items = state.list(table.name).filter((item) => asked.has(identify(item[index.hash.name])));
  const keys = items.flatMap((item) => entryOf(table, index, item)?.key ?? []);
  return new Set(keys).size < keys.length;
}
