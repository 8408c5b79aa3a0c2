import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { findLock } from '../../../lib/domain/locks/release-lock.ts';
import type { TableChange } from '../../../lib/store/stream/change.ts';
import { volumeOf } from '../../support/volume.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;

beforeAll(async () => {
  world = await newRuleCatalogue();
});

const names = { files: 6, datasets: 3, containers: 2 };

/** Attaches what is not attached, and detaches the rest. */
interface Toggle {
  readonly parent: number;
  readonly child: number;
}

const collections = names.datasets + names.containers;
const toggles = fc.array(fc.record({ parent: fc.nat(collections - 1), child: fc.nat(names.files + collections - 1) }), {
  minLength: 10,
  maxLength: 30,
});

/** How often, and in what parts, the stream delivers the changes. */
const deliveries = fc.record({ parts: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1 }), again: fc.nat(30) });

let run = 0;

describe('rules on changing content, with late, partial and repeated delivery (replication 3.1, 3.6)', () => {
  it('have locked exactly the content below their DIDs in the end', async () => {
    await fc.assert(
      fc.asyncProperty(toggles, deliveries, fc.nat(20), async (changes, delivery, ruleAt) => {
        run += 1;
        const tree = await plant(run);
        const ids: string[] = [];
        for (const [index, toggle] of changes.entries()) {
          if (index === Math.min(ruleAt, changes.length - 1)) ids.push(...(await tree.makeRules()));
          await tree.toggle(toggle);
        }
        await deliver(tree.events, delivery);
        await world.work();
        await world.work(300_000);
        for (const { id, top } of tree.rules()) {
          expect({ top, locked: await tree.lockedBy(id) }).toEqual({ top, locked: tree.below(top) });
        }
        expect(ids).toHaveLength(tree.rules().length);
        await world.recount();
      }),
      { numRuns: volumeOf('rulesOnRandomContent'), endOnFailure: true },
    );
  }, 240_000);
});

async function deliver(events: readonly TableChange[], { parts, again }: { parts: readonly number[]; again: number }) {
  let start = 0;
  for (let part = 0; start < events.length; part += 1) {
    const size = parts[part % parts.length] ?? 1;
    await world.follow(events.slice(start, start + size));
    start += size;
  }
  if (events.length > 0) await world.follow(events.slice(again % events.length));
}

async function plant(number: number) {
  const file = (index: number) => `r${number}-f${index}`;
  const collection = (index: number) => `r${number}-${index < names.datasets ? 'ds' : 'co'}${index}`;
  const children = new Map<string, Set<string>>();
  const events: TableChange[] = [];
  const rules: { id: string; top: string }[] = [];
  await world.register(
    'AAA',
    Array.from({ length: names.files }, (_value, index) => file(index)),
  );
  for (let index = 0; index < collections; index += 1) {
    await world.add(collection(index), index < names.datasets ? 'DATASET' : 'CONTAINER');
    children.set(collection(index), new Set());
  }
  const below = (top: string): string[] => {
    const found = new Set<string>();
    const enter = (name: string) => {
      for (const child of children.get(name) ?? []) {
        if (!found.has(child)) {
          found.add(child);
          enter(child);
        }
      }
    };
    enter(top);
    return [...found].filter((name) => name.includes('-f')).toSorted();
  };
  return {
    events,
    rules: () => rules,
    below,
    async makeRules() {
      const tops = [collection(0), collection(names.datasets), collection(collections - 1)];
      const wishes = [{ grouping: 'NONE' }, { copies: 2, rse_expression: 'AAA|BBB' }, { grouping: 'ALL' }];
      for (const [index, top] of tops.entries()) rules.push({ top, id: await world.rule(top, wishes[index]) });
      return rules.map(({ id }) => id);
    },
    /** Files are attached to datasets, other DIDs to containers; a later container never contains an earlier one. */
    async toggle({ parent, child }: Toggle) {
      const isInDataset = parent < names.datasets;
      const index = isInDataset ? child % names.files : child % parent;
      const [above, name] = [collection(parent), isInDataset ? file(index) : collection(index)];
      const type = isInDataset ? 'FILE' : index < names.datasets ? 'DATASET' : 'CONTAINER';
      const content = children.get(above) ?? new Set();
      if (content.delete(name)) {
        await world.detach(above, [name]);
        events.push(...world.tell('detached', above, [name], type));
      } else {
        content.add(name);
        await world.attach(above, [name]);
        events.push(...world.tell('attached', above, [name], type));
      }
    },
    async lockedBy(id: string) {
      const { rseIds } = world;
      const locked: string[] = [];
      for (let index = 0; index < names.files; index += 1) {
        const { replicas } = await world.file(file(index));
        if (findLock(replicas.get(rseIds.AAA), id) !== undefined) locked.push(file(index));
      }
      return locked.toSorted();
    },
  };
}
