/** How much traces may change: they need no token. */
import { beforeEach, describe, expect, it } from 'vitest';

import { ReplicaChanges } from '../../../lib/domain/locks/replica-changes.ts';
import { type Access, readTraces } from '../../../lib/domain/traces/read-traces.ts';
import { touchAccessed } from '../../../lib/domain/traces/touch-accessed.ts';
import { addTraces } from '../../../lib/operations/replicas/add-traces.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { data } from '../dids/catalogue.ts';
import { newRuleCatalogue, type RuleCatalogue } from '../rules/rule-catalogue.ts';

const hour = 3_600_000;
let world: RuleCatalogue;
const free = { take: () => true };

beforeEach(async () => {
  world = await newRuleCatalogue();
  await world.register('AAA', ['f1', 'f2']);
});

const use = (name: string): Access => ({ kind: 'file', did: data(name), rses: ['AAA'] });
const replica = async (name: string) => (await world.file(name)).replicas.get(world.rseIds.AAA);

describe('a use that a trace tells', () => {
  it('is noted once an hour', async () => {
    const start = Date.now();
    await touchAccessed(world.at(start), [use('f1')], free);
    const { rev } = await world.file('f1');
    await touchAccessed(world.at(start + hour - 1), [use('f1')], free);
    expect([(await replica('f1'))?.accessedAt, (await world.file('f1')).rev]).toEqual([start, rev]);
    await touchAccessed(world.at(start + hour), [use('f1')], free);
    expect((await replica('f1'))?.accessedAt).toBe(start + hour);
    await world.recount();
  });

  it('never brings forward when a replica may be deleted, nor puts off what may go at once', async () => {
    const now = Date.now();
    const set = async (tombstone: number) => {
      const file = await world.file('f1');
      const changes = new ReplicaChanges(now);
      const present = file.replicas.get(world.rseIds.AAA);
      if (present === undefined) throw new Error('no replica');
      const { accessedAt: _accessedAt, ...rest } = present;
      changes.set(file, world.rseIds.AAA, { ...rest, tombstone });
      await world.store.write(async () => changes.writes(new Set()));
      await touchAccessed(world.at(now), [use('f1')], free);
      return (await replica('f1'))?.tombstone;
    };
    expect([await set(now + hour), await set(0), await set(now - hour)]).toEqual([now + hour, 0, now]);
    await world.recount();
  });

  it('is not noted beyond what a caller may have noted', async () => {
    let left = 1;
    await touchAccessed(world.at(), [use('f1'), use('f2')], { take: () => (left -= 1) >= 0 });
    const noted = [await replica('f1'), await replica('f2')].filter((one) => one?.accessedAt !== undefined);
    expect(noted).toHaveLength(1);
  });

  it('costs nothing for what says nothing, and a bounded number of reads for the rest', async () => {
    const trace = (name: string) => ({ eventType: 'download', scope: 'data', filename: name, remoteSite: 'AAA' });
    expect(readTraces(Array.from({ length: 5_000 }, (_none, index) => trace(`x${index}`)))).toHaveLength(100);
    expect(readTraces([trace('f1'), trace('f1')])).toHaveLength(1);
    const [access] = readTraces({ ...trace('f1'), remoteSite: Array.from({ length: 500 }, () => 'AAA').join(',') });
    expect(access?.rses).toEqual(['AAA']);
    const nothing = [{ eventType: 'upload' }, 5, null];
    const { cost } = await measure(() => addTraces(world.at(), nothing, '192.0.2.1'));
    expect(cost.requests).toBe(0);
  });
});
