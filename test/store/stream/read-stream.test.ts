import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, it } from 'vitest';

import { insertAccountUsageDifference } from '../../../lib/store/entities/account-usage.ts';
import { changeDid, getDid, hideDid, insertDid, type NewDid } from '../../../lib/store/entities/did.ts';
import { deleteEdge, type Edge, insertEdge } from '../../../lib/store/entities/edge.ts';
import { insertRseUsageDifference, setRseUsage } from '../../../lib/store/entities/rse-usage.ts';
import { advanceWork, deleteWork, insertWork } from '../../../lib/store/entities/work.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import type { Change, Insert, Plan } from '../../../lib/store/items/plan.ts';
import { batchKeys } from '../../../lib/store/keys/batch-keys.ts';
import { didKeys } from '../../../lib/store/keys/did-keys.ts';
import { changesOf } from '../../../lib/store/stream/change.ts';
import { readStream } from '../../../lib/store/stream/read-stream.ts';
import { newStreamedTable, type StreamedTable } from '../../support/stream.ts';

let streamed: StreamedTable;
beforeAll(async () => {
  streamed = await newStreamedTable();
});

const exists = () => new Error('exists already');
const missing = () => new Error('not there');
const write = (plan: Plan) => streamed.store.write(async () => plan);
const read = async () => readStream(streamed.writer, await streamed.records(), 0);
const newName = () => `f${randomUUID().slice(0, 8)}`;
const dataset = (name = newName()): NewDid => ({
  scope: 'data',
  name,
  type: 'DATASET',
  account: 'root',
  bytes: 0,
  length: 0,
  createdAt: 1,
  updatedAt: 1,
  columns: {},
  meta: {},
});
const edges = (parent: NewDid, count: number): Edge[] =>
  Array.from({ length: count }, (_value, index) => ({
    parent: { scope: parent.scope, name: parent.name },
    child: { scope: 'data', name: `child${index}` },
    type: 'FILE',
    bytes: 2n ** 60n + 1n,
    createdAt: 1,
  }));
const inserts = (all: readonly Edge[]): Insert[] => all.map((edge) => insertEdge(edge, exists));
const deletes = (all: readonly Edge[]): Change[] => all.map((edge) => deleteEdge(edge, missing));
const grow = (did: NewDid, bytes: number) => changeDid(did, { add: { bytes } }, { onMismatch: missing });

describe('changes of a single request', () => {
  it('are delivered with both images, exact beyond 2^53', async () => {
    const did = dataset();
    const [edge] = edges(did, 1) as [Edge];
    await write([insertDid(did, exists)]);
    await write([insertEdge(edge, exists), grow(did, 7)]);
    await write([deleteEdge(edge, missing)]);
    const { changes, undone } = await read();
    expect(undone).toBeUndefined();
    expect(changes).toMatchObject([
      { kind: 'did', after: { name: did.name, bytes: 0 } },
      { kind: 'edge', after: { bytes: 2n ** 60n + 1n, parent: edge.parent, child: edge.child } },
      { kind: 'did', before: { bytes: 0 }, after: { bytes: 7 } },
      { kind: 'edge', before: { bytes: 2n ** 60n + 1n } },
    ]);
    expect(changes.map((change) => 'before' in change)).toEqual([false, false, true, true]);
  });

  it('hiding a DID deletes it, and its later removal is no second change', async () => {
    const did = dataset();
    await write([insertDid(did, exists)]);
    const found = await getDid(streamed.store.begin().table, did);
    if (found === undefined) throw missing();
    await read();
    await write([hideDid(found, {}, missing)]);
    await write([{ kind: 'change', key: didKeys.did(did), patch: { delete: true }, onMismatch: missing }]);
    const { changes } = await read();
    expect(changes).toMatchObject([{ kind: 'did', before: { name: did.name } }]);
    expect(changes[0]).not.toHaveProperty('after');
  });

  it('tasks are delivered when they are inserted and advanced, not when they are deleted', async () => {
    const note = insertWork({ kind: 'inject', ruleId: 'r' }, 5);
    const { PK, SK } = note.item;
    const work = { key: { PK, SK }, task: { kind: 'inject', ruleId: 'r' }, due: 5, rev: 1 } as const;
    await write([note]);
    await write([advanceWork(work, { at: 3 })]);
    await write([deleteWork({ ...work, rev: 2 })]);
    expect((await read()).changes).toMatchObject([
      { kind: 'work', after: { rev: 1 } },
      { kind: 'work', after: { rev: 2, position: { at: 3 } } },
    ]);
  });

  it('of usage only new differences are delivered', async () => {
    await write([insertAccountUsageDifference('alice', 'r1', { bytes: 1, files: 1 })]);
    await write([insertRseUsageDifference('r1', { bytes: 1, files: 1 })]);
    await streamed.store.write((latest) =>
      setRseUsage(latest, 'r1', { source: 'rucio', used: 5, free: 1, files: 1 }, 9),
    );
    expect((await read()).changes).toEqual([
      { kind: 'accountUsage', account: 'alice', rseId: 'r1' },
      { kind: 'rseUsage', rseId: 'r1' },
    ]);
  });
});

describe('changes of a bulk request', () => {
  it('are delivered once: inserts, and changes when they are folded', async () => {
    const did = dataset();
    const all = edges(did, 12);
    await write([insertDid(did, exists)]);
    await read();
    await write([...inserts(all), grow(did, 9)]);
    const made = (await read()).changes;
    expect(changesOf('edge', made)).toHaveLength(12);
    expect(changesOf('did', made)).toMatchObject([{ before: { bytes: 0, unsettled: [] }, after: { bytes: 9 } }]);
    await write([...deletes(all), grow(did, -9)]);
    const gone = (await read()).changes;
    expect(changesOf('edge', gone).map(({ before, after }) => [before?.child.name, after])).toHaveLength(12);
    expect(changesOf('edge', gone).every(({ before, after }) => before !== undefined && after === undefined)).toBe(
      true,
    );
    expect(changesOf('did', gone)).toMatchObject([{ before: { bytes: 9 }, after: { bytes: 0 } }]);
  });

  it('wait for the verdict, with all later records', async () => {
    const [first, staged, last] = [dataset(), dataset(), dataset()];
    const batch = await streamed.writer.batches.begin([]);
    await write([insertDid(first, exists)]);
    await write([stamped(insertDid(staged, exists), batch)]);
    await write([insertDid(last, exists)]);
    const records = await streamed.records();
    const names = async () => {
      const { changes, undone } = await readStream(streamed.writer, records, 0);
      return { names: changesOf('did', changes).map(({ after }) => after?.name), undone };
    };
    const record = records.find(({ dynamodb }) => dynamodb?.Keys?.['SK']?.S === staged.name);
    expect(await names()).toEqual({ names: [first.name], undone: record?.dynamodb?.SequenceNumber });
    const decided = streamed.writer.batches.commit(batch);
    const { changes, undone } = await readStream(streamed.writer, records);
    await decided;
    expect(undone).toBeUndefined();
    expect(changes).toHaveLength(3);
  });

  it('are not delivered for an aborted one, nor is its cleanup', async () => {
    const did = dataset();
    const all = edges(did, 12);
    await write([insertDid(did, exists)]);
    await write(inserts(all.slice(11)));
    await read();
    await expect(write([...inserts(all), grow(did, 9)])).rejects.toThrow('exists already');
    const records = await streamed.records();
    expect(new Set(records.map(({ eventName }) => eventName))).toEqual(new Set(['INSERT', 'MODIFY', 'REMOVE']));
    expect(await readStream(streamed.writer, records, 0)).toEqual({ changes: [] });
  });

  it('are delivered for an old one without a read of its record', async () => {
    const began = (Date.now() - 7_200_000).toString(36).padStart(9, '0');
    await write([stamped(insertDid(dataset(), exists), `${began}000000000000`)]);
    const records = await streamed.records();
    // Lambda writes times as seconds, the command line as dates.
    const asDates = records.map(({ dynamodb, ...record }) => {
      const at = new Date((dynamodb?.ApproximateCreationDateTime ?? 0) * 1000).toISOString();
      return { ...record, dynamodb: { ...dynamodb, ApproximateCreationDateTime: at as unknown as number } };
    });
    // The engine tells times in whole minutes.
    // The list of what was never committed is read once.
    for (const [index, form] of [records, asDates].entries()) {
      const { result, cost } = await measure(() => readStream(streamed.writer, form, 0));
      expect(result.changes).toMatchObject([{ at: expect.closeTo(Date.now(), -6) as number }]);
      expect(cost.roundTrips).toBe(index === 0 ? 2 : 0);
    }
  });

  it('of a writer that is gone are aborted by the reader that waits for them', async () => {
    const batch = await streamed.writer.batches.begin([]);
    await write([stamped(insertDid(dataset(), exists), batch)]);
    await streamed.store.write(async () => [
      {
        kind: 'change',
        key: await recordOf(batch),
        patch: { set: { deadline: Date.now() - 1 } },
        onMismatch: missing,
      },
    ]);
    expect(await read()).toEqual({ changes: [] });
    expect(await streamed.writer.batches.verdict(batch)).toEqual({ state: 'aborted' });
  });
});

describe('a bulk change of metadata', () => {
  it('is delivered when it is folded', async () => {
    const did = dataset();
    await write([insertDid(did, exists)]);
    await read();
    const set = { 'meta:key': 'value', updatedAt: 3 };
    await write([changeDid(did, { set }, { onMismatch: missing }), ...inserts(edges(did, 10))]);
    const [change] = changesOf('did', (await read()).changes);
    expect(change?.after?.meta).toEqual({ key: 'value' });
  });
});

const stamped = (insert: Insert, batch: string): Insert => ({ ...insert, item: { ...insert.item, batch } });

async function recordOf(batch: string) {
  for (const shard of [0, 1, 2, 3]) {
    const key = { PK: batchKeys.shard(shard), SK: batch };
    if ((await streamed.store.begin().table.get(key)) !== undefined) return key;
  }
  throw missing();
}
