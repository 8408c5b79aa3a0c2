/** Many replicas, of which half may go. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runDueWork } from '../../../lib/background/run-work.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import { splitIntoChunks } from '../../../lib/rows/split-into-chunks.ts';
import { getFiles } from '../../../lib/store/entities/did.ts';
import { findListFaults } from '../../support/deletable-list.ts';
import { patience, volumeOf } from '../../support/volume.ts';
import { data } from '../dids/catalogue.ts';
import { newReaperCatalogue, type ReaperCatalogue } from './reaper-catalogue.ts';

const total = Math.ceil(volumeOf('deletableReplicas') / 10) * 10;

let world: ReaperCatalogue;
beforeEach(async () => {
  world = await newReaperCatalogue();
});
afterEach(async () => {
  await world.close();
});

describe(`of ${total} replicas`, () => {
  it(
    'exactly the half that may go is deleted, some of them with their files, and everything else stays',
    async () => {
      const all = Array.from({ length: total }, (_none, index) => `f${index}`);
      const [going, staying] = [all.filter((_name, index) => index % 2 === 0), all.filter((_name, index) => index % 2)];
      // A replica that stays was never set free, was locked again, is the source of a copy, or is the last copy below a rule.
      const partOf = (index: number) => staying.filter((_name, place) => place % 4 === index);
      const [, locked, sources, last] = [partOf(0), partOf(1), partOf(2), partOf(3)];
      await world.upload(all);
      await world.free([...going, ...locked, ...sources, ...last]);
      const copied = going.slice(0, going.length / 2);
      for await (const chunk of splitIntoChunks(copied, 1_000)) await world.copy(chunk);
      const waiting = { ask_approval: true };
      await cover(locked, 'locked', 'FULL');
      await cover(sources, 'sources', 'OTHER');
      await cover(last, 'last', 'OTHER', waiting);
      const began = performance.now();
      let deleted = 0;
      for (let isOver = false; !isOver;) {
        const [run] = await world.reap();
        deleted += run?.deleted ?? 0;
        isOver = run?.ended === 'done';
        expect(run).toMatchObject({ rse: 'FULL', failed: 0 });
      }
      console.log(`${deleted} replicas deleted in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
      expect(deleted).toBe(going.length);
      const there = await Promise.all(all.map((name) => world.isThere(name)));
      expect(all.filter((_name, index) => there[index])).toEqual(staying);
      const files = await getFiles(world.at().store.table, all.map(data));
      const present = files.flatMap(({ name, replicas }) => (replicas.has(world.rseId) ? [name] : []));
      expect(new Set(present)).toEqual(new Set(staying));
      expect(new Set(files.map(({ name }) => name))).toEqual(new Set([...staying, ...copied]));
      expect(await world.usage()).toEqual({ files: staying.length, bytes: 10 * staying.length });
      expect(await findListFaults(world.at().store.table)).toEqual([]);
    },
    patience(600_000),
  );
});

/** Makes a dataset of files, and a rule on it. */
async function cover(names: readonly string[], dataset: string, rse: string, more: object = {}): Promise<void> {
  await world.add(dataset, 'DATASET');
  for await (const chunk of splitIntoChunks(names, 1_000)) await world.attach(dataset, chunk);
  await addRules(world.at(), {
    dids: [data(dataset)],
    account: null,
    copies: 1,
    rse_expression: rse,
    ...more,
  });
  // A rule on more than 1,000 files is placed by a task.
  for (let tasks = 1; tasks > 0;) ({ tasks } = await runDueWork(world.at(), 60_000));
}
