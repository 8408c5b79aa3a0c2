import { describe, expect, it } from 'vitest';

import type { Item } from '../src/values/attribute-value.ts';
import { itemSize } from '../src/values/size.ts';
import { endsAtFullSize } from './pages.ts';
import type { Body, JudgedRequest } from './request.ts';
import { State } from './state.ts';
import { unorderTies } from './ties.ts';

const query = (members: Body): JudgedRequest => ({
  operation: 'Query',
  body: { TableName: 'JudgedCatalog', ...members },
  touches: [],
  mistaken: false,
  ordered: true,
  pages: 1,
});

function stateOf(items: readonly Item[]): State {
  const state = new State();
  for (const item of items) {
    state.set(
      { table: 'JudgedCatalog', key: { PK: item['PK'] as Item[string], SK: item['SK'] as Item[string] } },
      item,
    );
  }
  return state;
}

describe('a last key after which nothing follows', () => {
  const padded = (name: string, bytes: number): Item => {
    const item = { PK: { S: 'heavy' }, SK: { S: name }, pad: { S: '' } };
    return { ...item, pad: { S: 'x'.repeat(bytes - itemSize(item)) } };
  };
  const ends = (bytes: number, last: string, members: Body = {}, scanned = 3) => {
    const state = stateOf([padded('c', bytes), padded('a', 400_000), padded('b', 400_000)]);
    const body = { ScannedCount: scanned, LastEvaluatedKey: { PK: { S: 'heavy' }, SK: { S: last } } };
    return endsAtFullSize(query(members), { status: 200, body }, state);
  };

  it('is right if the last item made the page larger than 1 MB', () => {
    expect(ends(248_577, 'c')).toBe(true);
    expect(ends(248_577, 'a', { ScanIndexForward: false })).toBe(true);
  });

  it('is wrong if the page has 1 MB or less, or had more before its last item', () => {
    expect(ends(248_576, 'c')).toBe(false);
    expect(ends(400_000, 'c', {}, 2)).toBe(false);
    const state = stateOf(['a', 'b', 'c', 'd'].map((name) => padded(name, 390_000)));
    const body = { ScannedCount: 4, LastEvaluatedKey: { PK: { S: 'heavy' }, SK: { S: 'd' } } };
    expect(endsAtFullSize(query({}), { status: 200, body }, state)).toBe(false);
  });
});

describe('a query of an index', () => {
  const entry = (SK: string, GSI1SK: string): Item => ({
    PK: { S: 'DID#0' },
    SK: { S: SK },
    GSI1PK: { S: 'p0' },
    GSI1SK: { S: GSI1SK },
  });
  const asked = (hash: string) => query({ IndexName: 'GSI1', ExpressionAttributeValues: { ':v': { S: hash } } });

  it('is compared in order, unless entries of its partition have equal keys', () => {
    const [tied, distinct] = [stateOf([entry('a', '1'), entry('b', '1')]), stateOf([entry('a', '1'), entry('b', '2')])];
    expect(unorderTies(asked('p0'), tied).ordered).toBe(false);
    expect(unorderTies(asked('p1'), tied).ordered).toBe(true);
    expect(unorderTies(asked('p0'), distinct).ordered).toBe(true);
  });
});
