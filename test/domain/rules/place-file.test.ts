import { describe, expect, it } from 'vitest';

import { releaseLock } from '../../../lib/domain/locks/release-lock.ts';
import { ReplicaChanges } from '../../../lib/domain/locks/replica-changes.ts';
import { placeFile, type Placing, repairFile } from '../../../lib/domain/rules/engine/place-file.ts';
import type { Replica } from '../../../lib/store/entities/did.ts';
import { fileWith } from './file-with.ts';

const beingDeleted = 'A replica is being deleted.';
const now = 1_000_000;
const rule = { id: 'rule', account: 'alice', copies: 1 };
const writable = new Map([['to', { availabilityWrite: true }]]);

/** The resulting replica on the RSE `to`. */
function place(replicas: Readonly<Record<string, Replica>>, more: Partial<Placing> = {}): Replica | undefined {
  const changes = new ReplicaChanges(now);
  const found = fileWith(replicas);
  placeFile(changes, { rule, rses: writable, sources: undefined, claims, now, ...more }, found, ['to']);
  return changes.replicasOf(found).get('to');
}

const lock = (state: 'O' | 'R' | 'S') => ({ rule: { state, account: 'alice' } });
/** It could be deleted before: whose it is has let it go. */
const free = { freedBy: [fileWith({}).account] };
/** No other DID can have the path of the file. */
const claims = { claim: () => ({}) };
const elsewhere = new Set(['from']);
const closed = { rses: new Map([['to', { availabilityWrite: false }]]) };

describe('a file that is locked on an RSE (replication 3.3)', () => {
  it.each(['A', 'T'] as const)('is locked unchanged in the state %s', (state) => {
    expect(place({ to: { state, tombstone: 7 } })).toEqual({ state, ...free, locks: lock('O') });
    expect(place({ to: { state } })).toEqual({ state, locks: lock('O') });
  });

  it('has a REPLICATING lock if the replica is being copied', () => {
    expect(place({ to: { state: 'C', tombstone: 7 } })).toEqual({ state: 'C', ...free, locks: lock('R') });
  });

  it('is to be copied if the replica is bad and there is another one, and is stuck if there is none (replication 1.8)', () => {
    const declared = { at: 5, id: 'x' };
    const bad = { to: { state: 'D' as const, tombstone: 7, declared } };
    const copied = { state: 'C' as const, askedBy: 'rule', updatedAt: now, declared, ...free, locks: lock('R') };
    expect(place({ ...bad, from: { state: 'A' } })).toEqual(copied);
    expect(place(bad)).toMatchObject({ state: 'D', locks: lock('S') });
  });

  it('is not locked if the replica is being deleted, so that its deletion can end (replication 1.9)', () => {
    const changes = new ReplicaChanges(now);
    const found = fileWith({ to: { state: 'B', tombstone: 0 }, from: { state: 'A' } });
    const placing = { rule, rses: writable, sources: undefined, claims, now };
    expect(placeFile(changes, placing, found, ['to'])).toEqual({ reason: beingDeleted, isUnlocked: true });
    expect(changes.touched).toBe(0);
    expect(placeFile(changes, placing, found, ['to', 'other'])).toEqual({ reason: beingDeleted, isUnlocked: true });
    expect(changes.replicasOf(found).get('other')?.locks).toEqual(lock('S'));
  });

  it.each([
    ['there is no replica', undefined, { createdAt: now, account: 'alice' }],
    [
      'the replica is unavailable',
      { state: 'U' as const, tombstone: 7, path: '/x' },
      { path: '/x', updatedAt: now, ...free },
    ],
  ])('is to be copied if %s', (_text, replica, kept) => {
    const replicas: Record<string, Replica> = replica === undefined ? {} : { to: replica };
    const copied = { ...kept, state: 'C' as const, askedBy: 'rule', locks: lock('R') };
    expect(place(replicas)).toEqual(copied);
    expect(place({ ...replicas, from: { state: 'A' as const } }, { sources: elsewhere })).toEqual(copied);
  });

  it.each([
    ['nothing can be written', closed],
    ['it is on no source', { sources: elsewhere }],
  ])('is stuck if %s', (_text, more) => {
    expect(place({}, more)).toEqual({ state: 'U' as const, createdAt: now, account: 'alice', locks: lock('S') });
    expect(place({ to: { state: 'U' as const, tombstone: 7 } }, more)).toEqual({
      state: 'U' as const,
      tombstone: 7,
      locks: lock('S'),
    });
    expect(place({ from: { state: 'C' as const } }, more)?.state).toBe('U');
  });

  it('is locked once per RSE, on as many RSEs as the rule asks for', () => {
    const locked = { state: 'A' as const, locks: lock('O') };
    for (const replicas of [{ to: locked }, { from: locked }]) {
      const changes = new ReplicaChanges(now);
      placeFile(changes, { rule, rses: writable, sources: undefined, claims, now }, fileWith(replicas), ['to']);
      expect(changes.writes(new Map())).toEqual([]);
    }
  });

  it('keeps the locks of other rules', () => {
    const other = { other: { state: 'O' as const, account: 'bob' } } as const;
    expect(place({ to: { state: 'A' as const, locks: other } })?.locks).toEqual({ ...other, ...lock('O') });
  });
});

describe('a lock that is repaired (replication 3.9, ADR 0011)', () => {
  const repair = (replica: Replica, more: Partial<Placing> = {}, others: Readonly<Record<string, Replica>> = {}) => {
    const changes = new ReplicaChanges(now);
    const found = fileWith({ to: replica, ...others });
    const because = repairFile(
      changes,
      { rule, rses: writable, sources: undefined, claims, now, ...more },
      found,
    )?.reason;
    return { replica: changes.replicasOf(found).get('to'), because };
  };
  const noSource = 'MissingSourceReplica';
  const notWritable = 'RSE excluded; not available for writing.';
  const copied = { state: 'C' as const, askedBy: 'rule', updatedAt: now, locks: lock('R') };
  const from = { from: { state: 'A' as const } } as const;

  describe.each(['O', 'R', 'S'] as const)('in the state %s', (state) => {
    const locks = lock(state);

    it.each(['A', 'T'] as const)('becomes OK if the replica is available: %s', (there) => {
      expect(repair({ state: there, locks })).toEqual({ replica: { state: there, locks: lock('O') } });
    });

    it('becomes REPLICATING if the replica is being copied', () => {
      const onTheWay = { state: 'C' as const, askedBy: 'other', locks };
      expect(repair(onTheWay)).toEqual({ replica: { ...onTheWay, locks: lock('R') } });
      expect(repair(onTheWay, closed)).toEqual({ replica: { ...onTheWay, locks: lock('R') } });
    });

    it.each(['U', 'D'] as const)('is requested again if the replica can be copied: %s', (absent) => {
      expect(repair({ state: absent, locks }, {}, from)).toEqual({ replica: copied });
      expect(repair({ state: absent, locks }, { sources: elsewhere }, from)).toEqual({ replica: copied });
    });

    it.each(['U', 'D'] as const)('is stuck with the reason if it cannot: %s', (absent) => {
      const stuck = { state: absent, locks: lock('S') };
      expect(repair({ state: absent, locks }, closed, from)).toEqual({ replica: stuck, because: notWritable });
      const none = { sources: new Set<string>() };
      expect(repair({ state: absent, locks }, none, from)).toEqual({ replica: stuck, because: noSource });
    });

    it('is stuck if the bad replica was the last copy, and requested if no copy is known', () => {
      const stuck = { state: 'D' as const, locks: lock('S') };
      expect(repair({ state: 'D' as const, locks })).toEqual({ replica: stuck, because: noSource });
      expect(repair({ state: 'U' as const, locks })).toEqual({ replica: copied });
    });

    it('is released if the replica is being deleted, with the mark and the time of the deletion', () => {
      const marked = { state: 'B' as const, tombstone: 0, updatedAt: 7 };
      const released = { replica: { ...marked, freedBy: ['alice'] }, because: beingDeleted };
      expect(repair({ ...marked, locks }, {}, from)).toEqual(released);
      const { tombstone: _tombstone, ...unmarked } = marked;
      expect(repair({ ...unmarked, locks }, {}, from)).toEqual(released);
    });
  });

  it('stays charged to the same account', () => {
    const locks = { rule: { state: 'S' as const, account: 'bob' } } as const;
    expect(repair({ state: 'A' as const, locks }).replica?.locks).toEqual({
      rule: { state: 'O' as const, account: 'bob' },
    });
  });
});

describe('a replica that loses its last lock (replication 3.7)', () => {
  const release = (replica: Replica, purgeReplicas = false) => {
    const changes = new ReplicaChanges(now);
    const found = fileWith({ to: replica });
    const had = releaseLock(changes, { file: found, rseId: 'to', ruleId: 'rule', rule: { purgeReplicas }, now });
    expect(had).toBe(true);
    return changes.replicasOf(found).get('to');
  };

  it.each([
    [
      'may go when space is needed',
      { state: 'A' as const, locks: lock('O') },
      false,
      { state: 'A' as const, tombstone: 500 },
    ],
    [
      'may go at once if the rule purges',
      { state: 'A' as const, locks: lock('O') },
      true,
      { state: 'A' as const, tombstone: 0 },
    ],
    [
      'may go at once if it is unavailable',
      { state: 'U' as const, locks: lock('S') },
      false,
      { state: 'U' as const, tombstone: 0 },
    ],
    [
      'is not copied any more',
      { state: 'C' as const, askedBy: 'rule', locks: lock('R') },
      false,
      { state: 'U' as const, tombstone: 0 },
    ],
  ] as const)('%s', (_text, before, purges, after) => {
    expect(release(before, purges)).toEqual({ ...after, freedBy: ['alice'], updatedAt: now });
  });

  it('stays unchanged while another rule has a lock', () => {
    const other = { other: { state: 'R' as const, account: 'bob' } } as const;
    expect(release({ state: 'C' as const, askedBy: 'rule', locks: { ...lock('R'), ...other } })).toEqual({
      state: 'C' as const,
      askedBy: 'rule',
      freedBy: ['alice'],
      locks: other,
    });
  });
});
