import { describe, expect, it } from 'vitest';

import { ReplicaChanges } from '../../../lib/domain/replicas/replica-changes.ts';
import { placeFile, type Placing, repairFile } from '../../../lib/domain/rules/engine/place-file.ts';
import { releaseLock } from '../../../lib/domain/rules/engine/release.ts';
import type { Did, Replica } from '../../../lib/store/entities/did.ts';

const now = 1_000_000;
const rule = { id: 'rule', account: 'alice', copies: 1 };
const writable = new Map([['to', { availabilityWrite: true }]]);

const file = (replicas: Readonly<Record<string, Replica>>): Did => ({
  scope: 'data',
  name: 'f',
  type: 'FILE',
  account: 'root',
  createdAt: 500,
  updatedAt: 500,
  bytes: 10,
  columns: {},
  meta: {},
  unsettled: [],
  pending: new Map(),
  replicas: new Map(Object.entries(replicas)),
});

/** What becomes of the replica on the RSE `to`. */
function place(replicas: Readonly<Record<string, Replica>>, more: Partial<Placing> = {}): Replica | undefined {
  const changes = new ReplicaChanges(now);
  const found = file(replicas);
  placeFile(changes, { rule, rses: writable, sources: undefined, now, ...more }, found, ['to']);
  return changes.replicasOf(found).get('to');
}

const lock = (state: 'O' | 'R' | 'S') => ({ rule: { state, account: 'alice' } });
const elsewhere = new Set(['from']);
const closed = { rses: new Map([['to', { availabilityWrite: false }]]) };

describe('a file that is locked on an RSE (replication 3.3)', () => {
  it.each(['A', 'T'])('is locked as it is in the state %s', (state) => {
    expect(place({ to: { state, tombstone: 7 } })).toEqual({ state, locks: lock('O') });
  });

  it.each(['C', 'D'])('waits for what is on its way or lost: %s', (state) => {
    expect(place({ to: { state, tombstone: 7 } })).toEqual({ state, locks: lock('R') });
  });

  it.each([
    ['there is no replica', undefined, { createdAt: now, account: 'alice' }],
    ['the replica is unavailable', { state: 'U', tombstone: 7, path: '/x' }, { path: '/x', updatedAt: now }],
  ])('is to be copied where %s', (_text, replica, kept) => {
    const replicas: Record<string, Replica> = replica === undefined ? {} : { to: replica };
    const copied = { ...kept, state: 'C', askedBy: 'rule', locks: lock('R') };
    expect(place(replicas)).toEqual(copied);
    expect(place({ ...replicas, from: { state: 'A' } }, { sources: elsewhere })).toEqual(copied);
  });

  it.each([
    ['nothing can be written', closed],
    ['it is on no source', { sources: elsewhere }],
  ])('is stuck where %s', (_text, more) => {
    expect(place({}, more)).toEqual({ state: 'U', createdAt: now, account: 'alice', locks: lock('S') });
    expect(place({ to: { state: 'U', tombstone: 7 } }, more)).toEqual({ state: 'U', tombstone: 7, locks: lock('S') });
    expect(place({ from: { state: 'C' } }, more)?.state).toBe('U');
  });

  it('is locked once, and in as many places as the rule wants', () => {
    const locked = { state: 'A', locks: lock('O') };
    for (const replicas of [{ to: locked }, { from: locked }]) {
      const changes = new ReplicaChanges(now);
      placeFile(changes, { rule, rses: writable, sources: undefined, now }, file(replicas), ['to']);
      expect(changes.writes(new Map())).toEqual([]);
    }
  });

  it('keeps the locks of other rules', () => {
    const other = { other: { state: 'O', account: 'bob' } } as const;
    expect(place({ to: { state: 'A', locks: other } })?.locks).toEqual({ ...other, ...lock('O') });
  });
});

describe('a lock that is stuck (replication 3.9)', () => {
  const repair = (replica: Replica, more: Partial<Placing> = {}) => {
    const changes = new ReplicaChanges(now);
    const found = file({ to: replica });
    repairFile(changes, { rule, rses: writable, sources: undefined, now, ...more }, found);
    return changes.replicasOf(found).get('to');
  };

  it('is OK where the replica has arrived', () => {
    expect(repair({ state: 'A', locks: lock('S') })).toEqual({ state: 'A', locks: lock('O') });
  });

  it('is tried again where the file can be copied', () => {
    const again = { state: 'C', askedBy: 'rule', updatedAt: now, locks: lock('R') };
    expect(repair({ state: 'U', locks: lock('S') })).toEqual(again);
    expect(repair({ state: 'U', locks: lock('S') }, closed)).toEqual({ state: 'U', locks: lock('S') });
  });
});

describe('a replica that loses its last lock (replication 3.7)', () => {
  const release = (replica: Replica, purgeReplicas = false) => {
    const changes = new ReplicaChanges(now);
    const found = file({ to: replica });
    const had = releaseLock(changes, { file: found, rseId: 'to', ruleId: 'rule', rule: { purgeReplicas }, now });
    expect(had).toBe(true);
    return changes.replicasOf(found).get('to');
  };

  it.each([
    ['may go when space is needed', { state: 'A', locks: lock('O') }, false, { state: 'A', tombstone: 500 }],
    ['may go at once if the rule purges', { state: 'A', locks: lock('O') }, true, { state: 'A', tombstone: 0 }],
    ['may go at once if it is unavailable', { state: 'U', locks: lock('S') }, false, { state: 'U', tombstone: 0 }],
    ['is not copied any more', { state: 'C', askedBy: 'rule', locks: lock('R') }, false, { state: 'U', tombstone: 0 }],
  ] as const)('%s', (_text, before, purges, after) => {
    expect(release(before, purges)).toEqual({ ...after, updatedAt: now });
  });

  it('stays as it is while another rule has one', () => {
    const other = { other: { state: 'R', account: 'bob' } } as const;
    expect(release({ state: 'C', askedBy: 'rule', locks: { ...lock('R'), ...other } })).toEqual({
      state: 'C',
      askedBy: 'rule',
      locks: other,
    });
  });
});
