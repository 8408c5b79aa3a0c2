import { beforeAll, describe, expect, it } from 'vitest';

import { eventsOf } from '../../../lib/domain/events/events-of.ts';
import type { CollectionDid, FileDid, Replica } from '../../../lib/store/entities/did.ts';
import type { Edge } from '../../../lib/store/entities/edge.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import type { TableChange } from '../../../lib/store/stream/change.ts';
import { newTestStore } from '../../support/store.ts';
import { at, changed, dataset, tell } from './changes.ts';

let store: Store;
beforeAll(async () => {
  store = await newTestStore();
});

const told = (...changes: TableChange[]) => tell(store, changes);

const { open: _open, length: _length, ...common } = dataset;
const file: FileDid = {
  ...common,
  name: 'f',
  type: 'FILE',
  bytes: 2n ** 60n + 1n,
  adler32: '0cc737eb',
  replicas: new Map(),
};
const withReplica = (replica: Replica | undefined): FileDid => ({
  ...file,
  replicas: new Map(replica === undefined ? [] : [['r1', replica]]),
});
const edge: Edge = {
  parent: { scope: 'data', name: 'raw' },
  child: { scope: 'data', name: 'f' },
  type: 'FILE',
  bytes: 5,
  createdAt: 1,
};

describe('the envelope', () => {
  it('has an id made of the stream record and the position, the same each time', async () => {
    const change = changed('did', undefined, { ...dataset, columns: { project: 'x' } });
    const [first, again] = await Promise.all([1, 2].map(() => eventsOf(store.begin().table, [change])));
    expect(again).toEqual(first);
    expect(first).toMatchObject([
      { id: 'e1.0', type: 'CREATE_DTS', subject: 'data:raw', time: '2026-11-21T12:21:38.000Z' },
      { id: 'e1.1', type: 'SET_METADATA', specversion: '1.0', source: '/dapple' },
    ]);
  });
});

describe('events of a DID', () => {
  it('contain its type and properties at its creation, and its other metadata in a second event', async () => {
    const made = {
      ...dataset,
      expiredAt: at,
      monotonic: true,
      columns: { eol_at: at + 1, hidden: true },
      meta: { a: [1] },
    };
    expect(await told(changed('did', undefined, made))).toEqual([
      { type: 'CREATE_DTS', account: 'alice', expired_at: '2026-11-21 12:21:38' },
      {
        type: 'SET_METADATA',
        meta: { monotonic: true, eol_at: '2026-11-21 12:21:38.001000', hidden: true, a: [1] },
      },
    ]);
    expect(await told(changed('did', undefined, file))).toEqual([
      {
        type: 'CREATE_FILE',
        account: 'alice',
        expired_at: null,
        bytes: 2n ** 60n + 1n,
        adler32: '0cc737eb',
        md5: null,
        guid: null,
      },
    ]);
  });

  it('are absent when only its size changed, which follows from its attachments', async () => {
    expect(await told(changed('did', dataset, { ...dataset, length: 3, bytes: 30, updatedAt: 2 }))).toEqual([]);
  });

  it('contain changed and removed metadata', async () => {
    const before: CollectionDid = { ...dataset, meta: { a: 1, b: { c: 2 } }, columns: { project: 'x' } };
    const after: CollectionDid = { ...dataset, meta: { b: { c: 2 }, d: null }, columns: { project: 'y' } };
    expect(await told(changed('did', before, after))).toEqual([
      { type: 'SET_METADATA', meta: { project: 'y', d: null } },
      { type: 'DELETE_METADATA', keys: ['a'] },
    ]);
  });

  it('say that it was closed and opened, at the time of the event', async () => {
    const closed = {
      ...dataset,
      open: false,
      closedAt: at,
      length: 2,
      bytes: 20,
      events: 4,
      eventsCounted: true as const,
    };
    expect(await told(changed('did', dataset, closed))).toEqual([{ type: 'CLOSE', bytes: 20, length: 2, events: 4 }]);
    expect(await told(changed('did', closed, dataset))).toEqual([{ type: 'OPEN' }]);
    expect(await told(changed('did', closed, { ...closed, closedAt: at + 1000 }))).toEqual([
      { type: 'SET_METADATA', meta: { closed_at: '2026-11-21 12:21:39' } },
    ]);
  });

  it('say that it was erased', async () => {
    expect(await told(changed('did', dataset, undefined))).toEqual([{ type: 'ERASE', account: 'alice' }]);
  });
});

describe('events of replicas', () => {
  const available: Replica = { state: 'A', tombstone: at };
  const place = { rse: 'r1', rse_id: 'r1' };

  it('say that one was added, changed or deleted; none when nothing visible changed', async () => {
    const rest = { until: null, path: null, account: 'alice', bytes: 2n ** 60n + 1n };
    const lock = { state: 'R', account: 'bob' } as const;
    const kept: Replica = { state: 'C', locks: { q: lock } };
    expect(await told(changed('did', withReplica(undefined), withReplica(available)))).toEqual([
      {
        type: 'ADD_REPLICA',
        ...place,
        ...rest,
        state: 'AVAILABLE',
        tombstone: '2026-11-21 12:21:38',
        lock_cnt: 0,
        locks: {},
      },
    ]);
    expect(await told(changed('did', withReplica(available), withReplica(kept)))).toEqual([
      {
        type: 'UPDATE_REPLICA',
        ...place,
        ...rest,
        state: 'COPYING',
        tombstone: null,
        lock_cnt: 1,
        locks: { q: { state: 'REPLICATING', account: 'bob' } },
      },
    ]);
    expect(await told(changed('did', withReplica(kept), withReplica({ ...kept, updatedAt: 9 })))).toEqual([]);
    expect(await told(changed('did', withReplica(available), withReplica(undefined)))).toMatchObject([
      { type: 'deletion-done', ...place, bytes: 2n ** 60n + 1n, 'file-size': 2n ** 60n + 1n },
    ]);
  });

  it('say that a deletion failed, once for each attempt', async () => {
    const marked: Replica = { state: 'B', tombstone: 0 };
    const failed: Replica = { ...marked, deletionError: 'EACCES at /f' };
    expect(await told(changed('did', withReplica(marked), withReplica(failed)))).toEqual([
      {
        type: 'deletion-failed',
        ...place,
        bytes: 2n ** 60n + 1n,
        'file-size': 2n ** 60n + 1n,
        url: null,
        protocol: null,
        duration: null,
        datatype: null,
        reason: 'EACCES at /f',
      },
    ]);
    expect(await told(changed('did', withReplica(failed), withReplica({ ...marked, updatedAt: 9 })))).toEqual([]);
    expect(await told(changed('did', withReplica(failed), withReplica({ ...failed, updatedAt: 9 })))).toEqual([]);
  });

  it('say whether the copy that a rule asked for is done or failed; none when it was cancelled', async () => {
    const asked: Replica = { state: 'C', askedBy: 'q', locks: { q: { state: 'R', account: 'bob' } } };
    const come: Replica = { state: 'A', locks: { q: { state: 'O', account: 'bob' } } };
    const failed: Replica = { state: 'U', locks: { q: { state: 'S', account: 'bob' } } };
    const types = async (after: Replica) =>
      (await told(changed('did', withReplica(asked), withReplica(after)))).map(({ type }) => type);
    expect(await types(come)).toEqual(['UPDATE_REPLICA', 'transfer-done']);
    expect(await types(failed)).toEqual(['UPDATE_REPLICA', 'transfer-failed']);
    expect(await types({ state: 'U', tombstone: 0 })).toEqual(['UPDATE_REPLICA']);
    const did = { scope: 'data', name: 'f' };
    const wish = { did, rseId: 'r1', id: 't1', ruleId: 'q', bytes: 5, createdAt: at };
    expect(await told(changed('transfer', undefined, wish), changed('transfer', wish, undefined))).toMatchObject([
      {
        type: 'transfer-queued',
        'request-id': 't1',
        'rule-id': 'q',
        'dst-rse-id': 'r1',
        'file-size': 5,
        state: 'queued',
      },
    ]);
  });
});

describe('events of content', () => {
  const names = { child_scope: 'data', child_name: 'f', child_type: 'FILE', did_type: 'DATASET' };
  const unknown = { length: null, adler32: null, md5: null, guid: null, events: null };

  it('say what was attached, with its properties, and detached', async () => {
    expect(await told(changed('edge', undefined, edge))).toEqual([{ type: 'ATTACH', ...names, ...unknown, bytes: 5 }]);
    expect(await told(changed('edge', edge, { ...edge, events: 7 }))).toEqual([
      { type: 'UPDATE_ATTACHMENT', ...names, ...unknown, bytes: 5, events: 7 },
    ]);
    expect(await told(changed('edge', edge, { ...edge, updatedAt: 7 }))).toEqual([]);
    expect(await told(changed('edge', edge, undefined))).toEqual([{ type: 'DETACH', ...names }]);
  });

  it('of containers also have the old form of Rucio', async () => {
    const inBox = { ...edge, type: 'DATASET', parent: { scope: 'data', name: 'box' } } as const;
    const box = { ...dataset, name: 'box', type: 'CONTAINER' } as const;
    const child = { childscope: 'data', childname: 'f', childtype: 'DATASET' };
    const events = await told(changed('did', undefined, box), changed('edge', undefined, inBox));
    expect(events.slice(1)).toMatchObject([
      { type: 'ATTACH', did_type: 'CONTAINER' },
      { type: 'REGISTER_CNT', account: 'alice', ...child },
    ]);
    expect(await told(changed('edge', inBox, undefined))).toMatchObject([
      { type: 'ERASE_CNT', ...child },
      { type: 'DETACH', did_type: 'CONTAINER' },
    ]);
  });
});
