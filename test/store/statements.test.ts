import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, it } from 'vitest';

import { BatchLog } from '../../lib/store/batches/batches.ts';
import { writeAtomically } from '../../lib/store/batches/commit.ts';
import type { Writer } from '../../lib/store/batches/writer.ts';
import { createClient } from '../../lib/store/items/client.ts';
import { PutCommand, QueryCommand } from '../../lib/store/items/commands.ts';
import { measure } from '../../lib/store/items/meter.ts';
import type { Change, Plan } from '../../lib/store/items/plan.ts';
import { ownEngine } from '../support/run.ts';

let writer: Writer;
beforeAll(async () => {
  const { client: options, tableName } = await ownEngine();
  const client = createClient(options);
  writer = { client, tableName, batches: new BatchLog(client, tableName) };
});

const write = (plan: Plan) => writeAtomically(writer, () => Promise.resolve(plan));
const count = 30;
const keysOf = (PK: string) => Array.from({ length: count }, (_value, n) => ({ PK, SK: String(n).padStart(2, '0') }));

/** Puts items as they are said, past the store. */
async function putItems(attributes: object): Promise<string> {
  const PK = `TEST#${randomUUID()}`;
  for (const key of keysOf(PK)) {
    await writer.client.send(new PutCommand({ TableName: writer.tableName, Item: { ...key, ...attributes } }));
  }
  return PK;
}

async function rawItems(PK: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await writer.client.send(
    new QueryCommand({
      TableName: writer.tableName,
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': PK },
      ConsistentRead: true,
    }),
  );
  return Items;
}

type Asked = Pick<Change, 'patch' | 'when'>;
const changeOf = (key: Change['key'], change: Asked): Change => ({
  kind: 'change',
  key,
  onMismatch: () => new Error('mismatch'),
  ...change,
});
const changesOf = (PK: string, change: Asked): Change[] => keysOf(PK).map((key) => changeOf(key, change));

describe('changes of many items are sent 25 per request (ADR 0003)', () => {
  it.each([
    ['set', { a: 1 }, { patch: { set: { a: 2, b: ['x', { y: 1 }] } } }, { a: 2, b: ['x', { y: 1 }] }],
    ['remove', { a: 1, b: 2 }, { patch: { remove: ['a'] } }, { b: 2 }],
    ['add to what is there', { length: 5 }, { patch: { add: { length: 3 } } }, { length: 8 }],
    ['add to what is missing', {}, { patch: { add: { length: 3 } } }, { length: 3 }],
    ['count a revision', { rev: 4 }, { patch: { set: { a: 1 }, add: { rev: 1 } } }, { a: 1, rev: 6 }],
    ['begin to count', {}, { patch: { set: { a: 1 }, add: { rev: 1 } }, when: { rev: undefined } }, { a: 1, rev: 2 }],
    ['count on', { rev: 4 }, { patch: { add: { rev: 1 } }, when: { rev: 4 } }, { rev: 6 }],
    ['set by a name in quotes', {}, { patch: { set: { 'a"b': 1 } } }, { 'a"b': 1 }],
  ])('%s', async (_title, before, change, after) => {
    const PK = await putItems(before);
    await write(changesOf(PK, change));
    for (const [index, { foldedAt, ...item }] of (await rawItems(PK)).entries()) {
      expect(item).toEqual({ ...keysOf(PK)[index], ...after });
      expect(foldedAt).toBeGreaterThan(0);
    }
  });

  it('delete', async () => {
    const PK = await putItems({ a: 1 });
    await write(changesOf(PK, { patch: { delete: true } }));
    expect(await rawItems(PK)).toEqual([]);
  });

  it('cost the units of single requests, in a twelfth of the requests', async () => {
    const PK = await putItems({ rev: 1 });
    const { cost } = await measure(() => write(changesOf(PK, { patch: { set: { a: 1 }, add: { rev: 1 } } })));
    // The record, its list of places, the commit; 30 changes, staged and folded, in two requests each.
    expect(cost.wru).toBeLessThanOrEqual(4 + 2 * count);
    expect(cost.requests).toBeLessThanOrEqual(3 + 2 * 2);
  });

  it.each([
    ['is not as it was', { a: 1 }],
    ['has what was missing', { a: undefined }],
  ])('and one that %s refuses all of them', async (_title, when) => {
    const PK = await putItems({ a: 2 });
    const changes = changesOf(PK, { patch: { set: { a: 3 } } });
    const [refused] = changes.splice(17, 1);
    const plan = [...changes, { ...(refused as Change), when }];
    await expect(write(plan)).rejects.toThrow('mismatch');
    const items = await rawItems(PK);
    expect(items).toHaveLength(count);
    for (const { PK: _PK, SK: _SK, ...item } of items) expect(item).toEqual({ a: 2 });
  });

  it('and a missing item fails all of them', async () => {
    const PK = await putItems({ a: 2 });
    const [missing, ...changes] = changesOf(PK, { patch: { set: { a: 3 } } });
    const plan = [...changes, { ...(missing as Change), key: { PK, SK: 'missing' } }];
    await expect(write(plan)).rejects.toThrow('mismatch');
    expect((await rawItems(PK)).map(({ a }) => a)).toEqual(Array.from({ length: count }, () => 2));
  });
});
