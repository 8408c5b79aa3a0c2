import { setTimeout as sleep } from 'node:timers/promises';

import { createConsumer } from '../../lib/background/create-consumer.ts';
import { expireDids } from '../../lib/background/expire-dids.ts';
import { maintainMetadataIndex } from '../../lib/background/maintain-metadata-index.ts';
import { fastReactions, slowReactions } from '../../lib/background/reactions.ts';
import { runDueWork } from '../../lib/background/run-work.ts';
import { bootstrapRoot } from '../../lib/domain/accounts/bootstrap.ts';
import { openStore, type Store } from '../../lib/store/open-store.ts';
import { lengthyWork, passes } from '../stream-filter.ts';
import { localClient } from './local-client.ts';
import type { LocalEngine } from './open-engine.ts';
import { startStreamReader } from './stream-reader.ts';
import { createTable } from './table.ts';

/** How long something takes before it is said what, in milliseconds. */
const noticeable = 1_000;

/** How long what is under way may take to end, in milliseconds. */
const grace = 2_000;

/** How long one run fills the metadata index, in milliseconds. */
const indexBudget = 30_000;

/** How often is done here what runs on a schedule when deployed. */
const choreMilliseconds = 60_000;

/** User and password of the first account. */
export interface RootAccount {
  readonly username: string;
  readonly password: string;
}

/** Where the data is, and whose. */
interface DataOptions {
  readonly tableName: string;
  readonly engine: LocalEngine;
  readonly root: RootAccount;
  /** The engine is this process's own, so whatever was under way when it started has lost its writer. */
  readonly alone: boolean;
  /** Keeps how far the stream of the table has been followed. */
  readonly dataDir?: string;
  /** Lets requests pass before more of the stream is followed, for some milliseconds at most. */
  readonly letPass?: (milliseconds: number) => Promise<void>;
}

/** Table, first account, and what runs by itself when deployed; returns how to stop the latter. */
export async function prepareData(
  { tableName, engine, root, alone, dataDir, letPass }: DataOptions,
  say: (line: string) => void,
): Promise<() => Promise<void>> {
  const client = localClient(engine.client);
  say(`table ${tableName} ${await createTable(client, tableName)}`);
  client.destroy();
  const store = openStore({ tableName, ...engine.client });
  say(`account root ${await bootstrapRoot(store, root)}`);
  await saySlow(say, 'clearing up after bulk requests', () => recover(store, say, alone));
  // What every write from now on has to keep up. What is there already is filled in while requests are served.
  await index(store, say, { budgetMs: 0, ...(alone ? { settlingMs: 0 } : {}) });
  const stopping = new AbortController();
  const { signal } = stopping;
  const filling = { unusedBefore: alone ? Date.now() + 1 : 0, budgetMs: indexBudget, signal };
  const chores = [
    () => recover(store, say, false),
    () => expire(store, say),
    () => work(store, say),
    () => index(store, say, filling),
  ];
  let running: Promise<void> | undefined;
  const start = (run: () => Promise<void>) => {
    running ??= run().finally(() => {
      running = undefined;
    });
  };
  start(() => saySlow(say, 'filling the metadata index', () => index(store, say, filling)));
  const timer = setInterval(() => {
    start(async () => {
      for (const chore of chores) if (!signal.aborted) await chore();
    });
  }, choreMilliseconds).unref();
  const followUp = createConsumer(store, slowReactions);
  const stream = {
    transport: engine.transport,
    subscribe: engine.subscribe,
    tableName,
    dataDir,
    say,
    ...(letPass && { letPass }),
  };
  const readers = [
    startStreamReader({ ...stream, handler: createConsumer(store, fastReactions) }),
    startStreamReader({
      ...stream,
      handler: ({ Records }) =>
        followUp({ Records: Records.filter((record) => lengthyWork.some((filter) => passes(record, filter))) }),
      reader: 'follow-up',
    }),
  ];
  return async () => {
    clearInterval(timer);
    stopping.abort();
    const ended = Promise.race([running, sleep(grace, undefined, { ref: false })]);
    await Promise.all([ended, ...readers.map((reader) => reader.stop())]);
  };
}

/** Says what is being done once it takes long, and how long it took. */
async function saySlow(say: (line: string) => void, what: string, act: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  let isSlow = false;
  const timer = setTimeout(() => {
    isSlow = true;
    say(`${what} ...`);
  }, noticeable).unref();
  await act();
  clearTimeout(timer);
  if (isSlow) say(`${what}: done in ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
}

async function recover(store: Store, say: (line: string) => void, alone: boolean): Promise<void> {
  try {
    const count = await store.recoverBatches(alone);
    if (count > 0) say(`rolled back ${count} abandoned bulk request${count === 1 ? '' : 's'}`);
  } catch (error) {
    say(`abandoned bulk requests could not be rolled back: ${String(error)}`);
  }
}

/** At the start nobody remembers an older state of the index, so that there is nothing to wait for. */
async function index(
  store: Store,
  say: (line: string) => void,
  options: {
    readonly settlingMs?: number;
    readonly unusedBefore?: number;
    readonly budgetMs: number;
    readonly signal?: AbortSignal;
  },
): Promise<void> {
  try {
    const { rewritten } = await maintainMetadataIndex({ store: store.begin(), now: Date.now() }, options);
    if (rewritten > 0) say(`indexed the metadata of ${rewritten} DID${rewritten === 1 ? '' : 's'}`);
  } catch (error) {
    say(`the metadata index could not be brought up to date: ${String(error)}`);
  }
}

async function work(store: Store, say: (line: string) => void): Promise<void> {
  try {
    await runDueWork({ store: store.begin(), now: Date.now() });
  } catch (error) {
    say(`what is due could not be done: ${String(error)}`);
  }
}

async function expire(store: Store, say: (line: string) => void): Promise<void> {
  try {
    const { deleted } = await expireDids({ store: store.begin(), now: Date.now() });
    if (deleted > 0) say(`deleted ${deleted} expired DID${deleted === 1 ? '' : 's'}`);
  } catch (error) {
    say(`expired DIDs could not be deleted: ${String(error)}`);
  }
}
