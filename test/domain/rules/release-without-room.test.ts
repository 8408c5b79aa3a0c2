import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { LockUpdates } from '../../../lib/domain/locks/lock-updates.ts';
import { releaseLock } from '../../../lib/domain/locks/release-lock.ts';
import { ReplicaChanges } from '../../../lib/domain/locks/replica-changes.ts';
import type { Table } from '../../../lib/store/batches/table.ts';
import { replicaAttribute } from '../../../lib/store/entities/did-item.ts';
import type { FileDid, Replica } from '../../../lib/store/entities/did.ts';
import { sizeOfFile } from '../../../lib/store/entities/file-room.ts';
import { itemSize } from '../../../lib/store/items/item-size.ts';
import { seedFrom, volumeOf } from '../../support/volume.ts';
import { fileWith } from './file-with.ts';

const seed = seedFrom('RELEASE_SEED');
const now = 1_795_000_000_123;
const maxBytes = 400 * 1_024;
/** What counters of the item may take beside. */
const counterBytes = 16;

/** A file whose item has as many bytes as it may, but for some. */
function fullFile(replicas: readonly Replica[], room: number): FileDid {
  const bare = fileWith(Object.fromEntries(replicas.map((replica, index) => [`rse${index}`, replica])));
  const filler = maxBytes - sizeOfFile(bare) - room - 'meta:filler'.length;
  return { ...bare, meta: { filler: 'x'.repeat(filler) } };
}

const accounts = ['root', 'alice', 'a-rather-long-account-na'];
const times = [0, 1_700_000_000_000, 1_712_000_000_000, 1_795_000_000_000, 1_794_999_999_999];
const lockOf = fc.record({
  state: fc.constantFrom('O' as const, 'R' as const, 'S' as const),
  account: fc.constantFrom(...accounts),
});
const replicaOf: fc.Arbitrary<Replica> = fc
  .record(
    {
      state: fc.constantFrom<Replica['state']>('A', 'C', 'U', 'T', 'D', 'B'),
      accessedAt: fc.constantFrom(...times.slice(1)),
      createdAt: fc.constantFrom(...times.slice(1)),
      updatedAt: fc.constantFrom(...times.slice(1)),
      tombstone: fc.constantFrom(...times),
      freedBy: fc.uniqueArray(fc.constantFrom(...accounts), { minLength: 1 }),
      askedBy: fc.constantFrom('rule0', 'rule1'),
      locks: fc.dictionary(fc.constantFrom('rule0', 'rule1', 'rule2'), lockOf, { minKeys: 1 }),
    },
    { requiredKeys: ['state', 'locks'] },
  )
  .map((replica) => JSON.parse(JSON.stringify(replica)) as Replica);

/** The replicas of a file as some changes store them. */
function storedBy(changes: ReplicaChanges, file: FileDid): ReadonlyMap<string, Replica> {
  const replicas = new Map(file.replicas);
  for (const write of changes.writes(new Map()))
    for (const rseId of file.replicas.keys()) {
      const set = write.kind === 'change' ? write.patch.set?.[replicaAttribute(rseId)] : undefined;
      if (set !== undefined) replicas.set(rseId, set as Replica);
    }
  return replicas;
}

const sizeOf = (replicas: ReadonlyMap<string, Replica>) => itemSize({ replicas: Object.fromEntries(replicas) });

describe(`the release of locks of a file without room (RELEASE_SEED=${seed})`, () => {
  it('leaves room for counters to grow, frees nothing without a note, and leaves no lock', () => {
    fc.assert(
      fc.property(
        fc.array(replicaOf, { minLength: 1, maxLength: 6 }),
        fc.nat(2_000),
        fc.shuffledSubarray(['rule0', 'rule1', 'rule2'], { minLength: 1 }),
        (replicas, room, rules) => {
          const file = fullFile(replicas, room);
          const changes = new ReplicaChanges(now);
          for (const ruleId of rules)
            for (const rseId of file.replicas.keys())
              releaseLock(changes, { file, rseId, ruleId, rule: { purgeReplicas: false }, now });
          const stored = storedBy(changes, file);
          const growth = sizeOf(stored) - sizeOf(file.replicas);
          if ([...changes.files()].length > 0) expect(growth).toBeLessThanOrEqual(room - counterBytes);
          for (const { locks = {}, tombstone, freedBy } of stored.values()) {
            for (const ruleId of rules) expect(locks).not.toHaveProperty(ruleId);
            if (Object.keys(locks).length === 0 && tombstone !== undefined) expect(freedBy).toBeDefined();
          }
        },
      ),
      { seed, numRuns: volumeOf('releasesWithoutRoom') },
    );
  });
});

describe('a replica that is changed while it has a lock of a rule that is gone', () => {
  it.each(['A', 'T', 'U'] as const)('keeps the note of who has let it go, in state %s', async (state) => {
    const replica: Replica = { state: 'A', locks: { gone: { state: 'O', account: 'alice' } } };
    const file = fileWith({ rse0: replica });
    const updates = await LockUpdates.open({} as Table, [], now);
    updates.set(file, 'rse0', { ...replica, state });
    expect(updates.replicaOf(file, 'rse0')).toMatchObject({ state, freedBy: ['alice'], tombstone: 500 });
    expect(updates.replicaOf(file, 'rse0')).not.toHaveProperty('locks');
  });

  it('keeps the latest note, if four accounts were noted before', async () => {
    const freedBy = ['a', 'b', 'c', 'd'];
    const replica: Replica = { state: 'A', freedBy, locks: { gone: { state: 'O', account: 'alice' } } };
    const file = fileWith({ rse0: replica });
    const updates = await LockUpdates.open({} as Table, [], now);
    updates.set(file, 'rse0', { ...replica, state: 'T' });
    expect(updates.replicaOf(file, 'rse0')?.freedBy).toEqual(['b', 'c', 'd', 'alice']);
  });

  it('keeps that of the caller as well', async () => {
    const replica: Replica = { state: 'A', locks: { gone: { state: 'O', account: 'alice' } } };
    const file = fileWith({ rse0: replica });
    const updates = await LockUpdates.open({} as Table, [], now);
    updates.set(file, 'rse0', { ...replica, state: 'B', tombstone: 0, freedBy: [''] });
    expect(updates.replicaOf(file, 'rse0')).toMatchObject({ state: 'B', freedBy: ['alice', ''], tombstone: 0 });
  });
});

describe('a replica that is changed twice in one plan', () => {
  it('has the tombstone of the later change, also if it had the same before', async () => {
    const replica: Replica = { state: 'A', tombstone: 0, freedBy: [''], listedAt: 1 };
    const file = fileWith({ rse0: replica });
    const updates = await LockUpdates.open({} as Table, [], now);
    updates.set(file, 'rse0', replica, { tombstone: undefined });
    expect(updates.replicaOf(file, 'rse0')).not.toHaveProperty('tombstone');
    updates.set(file, 'rse0', { ...updates.replicaOf(file, 'rse0'), state: 'B', tombstone: 0, freedBy: [''] });
    expect(updates.replicaOf(file, 'rse0')).toMatchObject({ state: 'B', tombstone: 0, freedBy: [''] });
  });
});
