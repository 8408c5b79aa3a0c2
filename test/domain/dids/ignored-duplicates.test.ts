/**
 * With ignore_duplicate existing attachments are skipped, and all children are attached when the request is answered.
 */
import { beforeEach, describe, expect, it } from 'vitest';

import { attachDidsToDids } from '../../../lib/operations/dids/attach-dids.ts';
import { detachDids } from '../../../lib/operations/dids/detach-dids.ts';
import { asCollection, getDid } from '../../../lib/store/entities/did.ts';
import { listChildren } from '../../../lib/store/entities/edge.ts';
import { type Catalogue, data, interrupted, newCatalogue } from './catalogue.ts';

let catalogue: Catalogue;
beforeEach(async () => {
  catalogue = await newCatalogue();
  await catalogue.add('ds', 'DATASET');
  await catalogue.add('other', 'DATASET');
}, 60_000);

const numbered = (count: number) => Array.from({ length: count }, (_value, index) => `f${index}`);

async function content() {
  const { table } = catalogue.at().store;
  const names = (await Array.fromAsync(listChildren(table, data('ds')))).map(({ child }) => child.name);
  const did = asCollection(await getDid(table, data('ds')));
  return { names: names.toSorted(), length: did?.length, bytes: did?.bytes };
}

describe.each([
  ['one transaction', 2, 3],
  ['a staged commit', 20, 35],
])('ignored duplicates in %s', (_what, before, after) => {
  const [there, wanted] = [numbered(before), numbered(after)];
  const all = { names: wanted.toSorted(), length: after, bytes: after };

  /** A request for all files. Before its commit a concurrent request detaches some of those that it skips. */
  async function fill(detached: readonly string[], more: readonly string[] = []) {
    let isFirst = true;
    const store = interrupted(catalogue.store, async () => {
      if (!isFirst) return;
      isFirst = false;
      await detachDids(catalogue.at(), data('ds'), detached.map(data));
    });
    const dids = wanted.map((name) => ({ ...data(name), bytes: 1 }));
    const others = more.map((name) => ({ ...data('other'), dids: [{ ...data(name), bytes: 1 }], rse: 'DISK' }));
    const attachments = [{ ...data('ds'), dids, rse: 'DISK' }, ...others];
    await attachDidsToDids(catalogue.at(Date.now(), store), attachments, true);
  }

  it.each([
    ['some', 1],
    ['all', before],
  ])('are attached again if %s of them are detached concurrently', async (_share, count) => {
    await catalogue.attach('ds', there, 1);
    await fill(there.slice(0, count));
    expect(await content()).toEqual(all);
  });

  it('are attached again if the request adds nothing else to this dataset', async () => {
    await catalogue.attach('ds', wanted, 1);
    await fill(there, ['new']);
    expect(await content()).toEqual(all);
  });

  it('do not depend on a concurrent detachment of another child', async () => {
    await catalogue.attach('ds', [...there, 'gone'], 1);
    await fill(['gone']);
    expect(await content()).toEqual(all);
  });
});
