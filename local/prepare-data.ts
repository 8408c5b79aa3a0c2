import { setTimeout as sleep } from 'node:timers/promises';

import { expireDids } from '../lib/background/expire-dids.ts';
import { maintainMetadataIndex } from '../lib/background/maintain-metadata-index.ts';
import { reapRses } from '../lib/background/reap-rses.ts';
import { runDueWork } from '../lib/background/run-work.ts';
import { clock } from '../lib/clock.ts';
import { bootstrapRoot } from '../lib/domain/accounts/bootstrap.ts';
import { openStorageFolders } from '../lib/movers/posix/safe-path.ts';
import { getFleet } from '../lib/store/entities/rse-fleet.ts';
import { openStore, type Store } from '../lib/store/open-store.ts';
import { findUnknownAlgorithm } from './judge-paths.ts';
import { localClient } from './local-client.ts';
import type { LocalEngine } from './open-engine.ts';
import { sayWrongClock } from './say-clock.ts';
import { type ReactionOptions, startReactions } from './start-reactions.ts';
import type { StreamReader } from './stream-reader.ts';
import { createTable } from './table.ts';

/** Time after which a slow step is reported. */
const slowStepMs = 1_000;

/** Time for running work to end when the server stops. */
const graceMs = 2_000;

/** Time budget of one run that fills the metadata index. */
const indexBudgetMs = 30_000;

/** Time budget of one run that frees space. */
const spaceBudgetMs = 30_000;

/** Interval of the work that runs on a schedule when deployed. */
const choreIntervalMs = 60_000;

/** User name and password of the first account. */
export interface RootAccount {
  readonly username: string;
  readonly password: string;
  /** Called when the account was made, with this password. */
  readonly onMade?: () => void;
}

/** Where the data is, and its options. */
interface DataOptions {
  readonly tableName: string;
  readonly engine: LocalEngine;
  readonly root: RootAccount;
  /**
   * The engine is exclusive to this process, so every bulk request that is unfinished at the start has lost its writer.
   */
  readonly alone: boolean;
  /** Folder that keeps the position in the table's stream. */
  readonly dataDir?: string;
  /** Folders in which the files of RSEs may be copied and deleted. */
  readonly storage?: readonly string[] | undefined;
  /** Waits for requests to finish before more of the stream is read, for some milliseconds at most. */
  readonly waitForRequests?: (milliseconds: number) => Promise<void>;
  /** Whether the reaper deletes files from storage, on the RSEs for which it is switched on. */
  readonly isReaping?: boolean;
  /** Run scheduled tasks. If false, only indexes and batches are maintained. */
  readonly tasks?: boolean;
  /** Starts what follows from changes; by default in this thread. */
  readonly react?: (options: ReactionOptions) => StreamReader;
}

/** Prepares table and first account, and starts the background work of a deployment; returns how to stop that. */
export async function prepareData(options: DataOptions, say: (line: string) => void): Promise<() => Promise<void>> {
  const { tableName, engine, root, alone, dataDir, storage, waitForRequests, react = startReactions } = options;
  sayWrongClock(say);
  const client = localClient(engine.client);
  say(`table ${tableName} ${await createTable(client, tableName)}`);
  client.destroy();
  const store = openStore({ tableName, ...engine.client });
  const outcome = await bootstrapRoot(store, root);
  say(`account root ${outcome}`);
  if (outcome === 'created') root.onMade?.();
  await sayUnknownPaths(store, say);
  await saySlow(say, 'recovering bulk requests', () => recover(store, say, alone));
  // From now on every write must maintain the index. Existing entries are filled in while requests are served.
  await index(store, say, { budgetMs: 0, ...(alone ? { settlingMs: 0 } : {}) });
  const stopping = new AbortController();
  const { signal } = stopping;
  const filling = { unusedBefore: alone ? clock.now() + 1 : 0, budgetMs: indexBudgetMs, signal };
  const upkeep = [() => recover(store, say, false), () => index(store, say, filling)];
  const tasks = [
    () => expire(store, say),
    () => work(store, say),
    ...(options.isReaping === true ? [() => free(store, say, storage ?? [])] : []),
  ];
  const chores = options.tasks === false ? upkeep : [...upkeep, ...tasks];
  let running: Promise<void> | undefined;
  const start = (run: () => Promise<void>) => {
    running ??= run().finally(() => {
      running = undefined;
    });
  };
  start(async () => {
    await saySlow(say, 'filling the metadata index', () => index(store, say, filling));
    // At once, not with the first chores: nobody runs what a former process, or the server of a loaded catalogue, left.
    if (options.tasks !== false && !signal.aborted) await work(store, say);
  });
  const timer = setInterval(() => {
    start(async () => {
      sayWrongClock(say);
      for (const chore of chores) if (!signal.aborted) await chore();
    });
  }, choreIntervalMs).unref();
  const reactions = react({ engine, tableName, dataDir, storage, say, waitForRequests });
  return async () => {
    clearInterval(timer);
    stopping.abort();
    const ended = Promise.race([running, sleep(graceMs, undefined, { ref: false })]);
    await Promise.all([ended, reactions.stop()]);
  };
}

/** How many RSEs without paths are named. */
const maxNamedRses = 5;

/** Names the RSEs whose path algorithm the policy does not have: the one of the last start may have had it. */
async function sayUnknownPaths(store: Store, say: (line: string) => void): Promise<void> {
  const { live } = await getFleet(store.begin().table);
  const without = live.flatMap((rse) => {
    const algorithm = findUnknownAlgorithm(rse);
    return algorithm === undefined ? [] : [`${rse.rse} (${algorithm})`];
  });
  if (without.length === 0) return;
  const more = without.length > maxNamedRses ? ` and ${without.length - maxNamedRses} more` : '';
  say(
    `the policy does not have the lfn2pfn_algorithm of ${without.slice(0, maxNamedRses).join(', ')}${more}: their files have no paths ` +
      'until the attribute or the policy is changed',
  );
}

/** Reports a step that takes long, and how long it took. */
async function saySlow(say: (line: string) => void, what: string, act: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  let isSlow = false;
  const timer = setTimeout(() => {
    isSlow = true;
    say(`${what} ...`);
  }, slowStepMs).unref();
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

/** At the start no process has cached an older state of the index, so there is nothing to wait for. */
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
    const { rewritten } = await maintainMetadataIndex({ store: store.begin(), now: clock.now() }, options);
    if (rewritten > 0) say(`indexed the metadata of ${rewritten} DID${rewritten === 1 ? '' : 's'}`);
  } catch (error) {
    say(`the metadata index could not be maintained: ${String(error)}`);
  }
}

async function work(store: Store, say: (line: string) => void): Promise<void> {
  try {
    await runDueWork({ store: store.begin(), now: clock.now() });
  } catch (error) {
    say(`due work failed: ${String(error)}`);
  }
}

async function expire(store: Store, say: (line: string) => void): Promise<void> {
  try {
    const { deleted } = await expireDids({ store: store.begin(), now: clock.now() });
    if (deleted > 0) say(`deleted ${deleted} expired DID${deleted === 1 ? '' : 's'}`);
  } catch (error) {
    say(`expired DIDs could not be deleted: ${String(error)}`);
  }
}

/** Deletes files from storage, on the RSEs for which the reaper is switched on. */
async function free(store: Store, say: (line: string) => void, storage: readonly string[]): Promise<void> {
  try {
    const folders = await openStorageFolders(storage);
    const context = { store: store.begin(), now: clock.now() };
    const { rses } = await reapRses(context, { folders, budgetMs: spaceBudgetMs });
    for (const { rse, deleted, bytes, failed, ended } of rses) {
      if (deleted + failed === 0) continue;
      const failures = failed === 0 ? '' : `, ${failed} could not be deleted${ended === 'resting' ? '; it rests' : ''}`;
      say(`freed ${bytes} bytes of ${rse}: ${deleted} replica${deleted === 1 ? '' : 's'} deleted${failures}`);
    }
  } catch (error) {
    say(`space could not be freed: ${String(error)}`);
  }
}
