import type { Random } from './random.ts';
import type { Body, JudgedRequest } from './request.ts';
import { keyNames, tables } from './tables.ts';
import { wrongValue } from './values.ts';

/** A member of an object or of a list within a request's body. */
interface Place {
  readonly holder: Record<string, unknown>;
  readonly name: string;
  readonly depth: number;
  /** It is part of a key's value. */
  readonly isKey: boolean;
}

/** The request with one mistake anywhere in its body. */
export function makeMistake(random: Random, request: JudgedRequest): JudgedRequest {
  const body = structuredClone(request.body);
  const places = [...listPlaces(body, 0, false)];
  if (places.length === 0) return request;
  // Members of the request itself are chosen as often as the many more members of its values.
  const shallow = places.filter(({ depth }) => depth === 0);
  const place = random.pick(random.chance(0.5) ? shallow : places);
  spoil(random, place, body);
  return { ...request, body, mistaken: true };
}

const keys = new Set(tables.flatMap((table) => keyNames(table, true)));

function* listPlaces(holder: object, depth: number, isKey: boolean): Generator<Place> {
  for (const [name, member] of Object.entries(holder)) {
    const belongs = isKey || keys.has(name);
    yield { holder: holder as Record<string, unknown>, name, depth, isKey: belongs };
    if (typeof member === 'object' && member !== null) yield* listPlaces(member, depth + 1, belongs);
  }
}

function spoil(random: Random, { holder, name, isKey }: Place, body: Body): void {
  // A key never becomes another valid one: two items could then share a sort key in an index.
  const unlessKey = (weight: number) => (isKey ? 0 : weight);
  const set = (value: unknown) => Object.defineProperty(holder, name, { value, enumerable: true, configurable: true });
  random.weighted<() => unknown>([
    [6, () => delete holder[name]],
    [2, () => set(null)],
    [3, () => set('')],
    [2, () => set({})],
    [2, () => set([])],
    [unlessKey(2), () => set(random.pick([0, -1, 1.5, 1e10]))],
    [1, () => set(true)],
    [unlessKey(3), () => set('nothing_known')],
    [unlessKey(2), () => set('n'.repeat(300))],
    [3, () => set(wrongValue(random))],
    [2, () => (holder[`${name}2`] = holder[name])],
    [2, () => (holder['additional'] = wrongValue(random))],
    [3, () => addMember(random, body)],
  ])();
}

/** Contradicting or invalid members. */
function addMember(random: Random, body: Body): void {
  const members: Body = {
    TableName: random.pick(['Nowhere', 'ab', 'with space', 'a'.repeat(256)]),
    IndexName: random.pick(['Nowhere', 'ab', 'GSI1', 'byRank']),
    Limit: random.pick([0, -5, 1001]),
    Select: random.pick(['COUNT', 'ALL_ATTRIBUTES', 'SPECIFIC_ATTRIBUTES', 'NOTHING']),
    ReturnValues: random.pick(['ALL_NEW', 'EVERYTHING']),
    ReturnConsumedCapacity: random.pick(['ALL', 'total']),
    ReturnItemCollectionMetrics: random.pick(['ALL', 'size']),
    AttributesToGet: random.pick<unknown>([['n'], []]),
    ConditionalOperator: random.pick(['AND', 'XOR']),
    ExpressionAttributeNames: random.pick<unknown>([{ '#unused': 'n' }, { nosign: 'n' }, {}]),
    ExpressionAttributeValues: random.pick<unknown>([{ ':unused': { N: '1' } }, { nosign: { N: '1' } }, {}]),
    ExclusiveStartKey: random.pick<unknown>([{ PK: { S: 'DID#0' } }, {}, { PK: { N: '1' }, SK: { S: 'a' } }]),
    ConsistentRead: true,
    Segment: random.pick([0, 3]),
    TotalSegments: random.pick([0, 2]),
    ClientRequestToken: random.pick(['', 't'.repeat(37)]),
    NextToken: 'bm90IGEgdG9rZW4=',
  };
  const name = random.pick(Object.keys(members));
  body[name] = members[name];
}
