/**
 * Copies of file keys at attachments, and the sums of datasets, under concurrent changes of the files (spec/dids.md
 * 2.16).
 */
import { beforeEach, describe, expect, it } from 'vitest';

import { consumeChanges } from '../../../lib/background/consume-changes.ts';
import { runDueWork } from '../../../lib/background/run-work.ts';
import { followFileKeys } from '../../../lib/domain/dids/follow-file-keys.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { attachDids } from '../../../lib/operations/dids/attach-dids.ts';
import { detachDids } from '../../../lib/operations/dids/detach-dids.ts';
import { setDidsMetadataBulk } from '../../../lib/operations/dids/set-metadata.ts';
import { asCollection, getDid } from '../../../lib/store/entities/did.ts';
import { listChildren } from '../../../lib/store/entities/edge.ts';
import { listDueWork } from '../../../lib/store/entities/work.ts';
import { writerOf } from '../../../lib/store/open-store.ts';
import { readStream } from '../../../lib/store/stream/read-stream.ts';
import { withLateIndex } from '../../support/late-index.ts';
import { newStreamedTable, type StreamedTable } from '../../support/stream.ts';
import { type Catalogue, data, interrupted, newCatalogue } from './catalogue.ts';

/** In one transaction, and in a staged commit. */
const sizes = [['2 files', 2] as const, ['30 files', 30] as const];

let streamed: StreamedTable;
let catalogue: Catalogue;
beforeEach(async () => {
  streamed = await newStreamedTable();
  catalogue = await newCatalogue(streamed.store);
});

/** A request that conflicts with another one, which commits before its first plan. */
function overtakenBy(run: (context: Context) => Promise<unknown>): Context {
  let isFirst = true;
  const interrupt = async () => {
    if (!isFirst) return;
    isFirst = false;
    await run(catalogue.at());
  };
  return catalogue.at(Date.now(), interrupted(catalogue.store, interrupt));
}

const describeFiles = (context: Context, names: readonly string[], events: number) =>
  setDidsMetadataBulk(
    context,
    names.map((name) => ({ ...data(name), meta: { events } })),
  );
const detach = (context: Context, names: readonly string[]) => detachDids(context, data('ds'), names.map(data));
const attach = (context: Context, names: readonly string[]) =>
  attachDids(context, data('ds'), names.map(data), undefined);

async function sums() {
  const { table } = catalogue.at().store;
  const edges = await Array.fromAsync(listChildren(table, data('ds')));
  const { length, events } = asCollection(await getDid(table, data('ds'))) ?? {};
  return { length, events, edges: edges.map((edge) => edge.events) };
}

const follow = async () => {
  const { changes } = await readStream(writerOf(streamed.store), await streamed.records());
  await consumeChanges(catalogue.at(), changes, [followFileKeys]);
};

describe.each(sizes)('%s whose events are set', (_what, count) => {
  const names = Array.from({ length: count }, (_value, index) => `f${index}`);

  beforeEach(async () => {
    await catalogue.add('ds', 'DATASET');
    await catalogue.add('made', 'DATASET');
    await catalogue.attach('made', names, 1);
  });

  it('while they are being detached leave no events in the sum', async () => {
    await attach(catalogue.at(), names);
    await describeFiles(catalogue.at(), names, 4);
    await detach(
      overtakenBy((context) => describeFiles(context, names, 7)),
      names,
    );
    expect(await sums()).toEqual({ length: 0, events: 0, edges: [] });
  });

  it('while they are detached and attached again leave the correct sum', async () => {
    await attach(catalogue.at(), names);
    const moved = async (context: Context) => {
      await describeFiles(context, names, 5);
      await detach(catalogue.at(), names);
      await attach(catalogue.at(), names);
    };
    await detach(overtakenBy(moved), names);
    expect(await sums()).toEqual({ length: 0, events: 0, edges: [] });
  });

  it('while they are being attached have correct attachments after the reaction', async () => {
    await attach(
      overtakenBy((context) => describeFiles(context, names, 4)),
      names,
    );
    await follow();
    expect(await sums()).toEqual({ length: count, events: 4 * count, edges: names.map(() => 4) });
    // The changes are delivered again without effect.
    await describeFiles(catalogue.at(), names, 6);
    await follow();
    expect(await sums()).toEqual({ length: count, events: 6 * count, edges: names.map(() => 6) });
  });

  it('before a stale index shows their attachments have correct attachments after the reaction', async () => {
    const late = overtakenBy((context) => attach(context, names));
    await describeFiles(late, names, 4);
    await follow();
    expect(await sums()).toEqual({ length: count, events: 4 * count, edges: names.map(() => 4) });
  });
});

describe('files whose events are set while the index does not show their attachments', () => {
  it.each(sizes)('have correct attachments once the index shows them: %s', async (_what, count) => {
    const names = Array.from({ length: count }, (_value, index) => `f${index}`);
    await catalogue.add('ds', 'DATASET');
    await catalogue.add('made', 'DATASET');
    await catalogue.attach('made', names, 1);
    let isLate = true;
    const blind = withLateIndex(catalogue.store, (text) => !isLate || !text.includes('D#data#ds'));
    const followBlindly = async () => {
      const { changes } = await readStream(writerOf(streamed.store), await streamed.records());
      await consumeChanges(catalogue.at(Date.now(), blind), changes, [followFileKeys]);
    };
    const work = (laterMs: number) => runDueWork(catalogue.at(Date.now() + laterMs, blind), Date.now() + 60_000);
    await attach(catalogue.at(), names);
    await followBlindly();
    await describeFiles(catalogue.at(Date.now(), blind), names, 4);
    await followBlindly();
    await work(120_000);
    expect((await sums()).edges).toEqual(names.map(() => undefined));
    isLate = false;
    await work(240_000);
    expect(await sums()).toEqual({ length: count, events: 4 * count, edges: names.map(() => 4) });
  });
});

describe('files that are attached a second time', () => {
  it('are checked again later if the index shows only the former attachment', async () => {
    await catalogue.add('ds', 'DATASET');
    await catalogue.add('made', 'DATASET');
    await catalogue.attach('made', ['f'], 1);
    await attach(catalogue.at(), ['f']);
    const [former] = await Array.fromAsync(listChildren(catalogue.at().store.table, data('ds')));
    await detach(catalogue.at(), ['f']);
    await attach(catalogue.at(), ['f']);
    // The index still shows the former attachment.
    const stale = withLateIndex(
      catalogue.store,
      () => true,
      (item) => (item.PK === 'D#data#ds' ? { ...item, createdAt: former?.createdAt } : item),
    );
    const [edge] = await Array.fromAsync(listChildren(catalogue.at().store.table, data('ds')));
    if (edge === undefined) throw new Error('the file is not attached');
    const change = { kind: 'edge', id: 'e', at: 1, after: edge } as const;
    await followFileKeys.run(catalogue.at(Date.now(), stale), [change]);
    const due = await Array.fromAsync(listDueWork(catalogue.store.begin().table, Date.now() + 120_000));
    expect(due.map(({ task }) => task)).toMatchObject([{ kind: 'followShown', edges: [{ child: data('f') }] }]);
  });
});
