import { createConsumer } from '../../functions/consume-stream.ts';
import { bootstrapRoot } from '../../lib/domain/accounts/bootstrap.ts';
import { expireDids } from '../../lib/domain/dids/expire.ts';
import { maintainMetadataIndex } from '../../lib/domain/metadata-index/maintain.ts';
import { lengthy, prompt } from '../../lib/domain/stream/reactions.ts';
import { runDueWork } from '../../lib/domain/work/run.ts';
import { openStore, type Store } from '../../lib/store/open-store.ts';
import { lengthyWork, passes } from '../stream-filter.ts';
import { localClient } from './local-client.ts';
import type { LocalEngine } from './open-engine.ts';
import { startStreamReader } from './stream-reader.ts';
import { createTable } from './table.ts';

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
}

/** Table, first account, and what runs by itself when deployed; returns how to stop the latter. */
export async function prepareData(
  { tableName, engine, root, alone, dataDir }: DataOptions,
  say: (line: string) => void,
): Promise<() => Promise<void>> {
  const client = localClient(engine.client);
  say(`table ${tableName} ${await createTable(client, tableName)}`);
  client.destroy();
  const store = openStore({ tableName, ...engine.client });
  say(`account root ${await bootstrapRoot(store, root)}`);
  await recover(store, say, alone);
  await index(store, say, alone);
  const chores = () =>
    void recover(store, say, false)
      .then(() => expire(store, say))
      .then(() => work(store, say))
      .then(() => index(store, say, false));
  const timer = setInterval(chores, choreMilliseconds).unref();
  const followUp = createConsumer(store, lengthy);
  const stream = { transport: engine.transport, subscribe: engine.subscribe, tableName, dataDir, say };
  const readers = [
    startStreamReader({ ...stream, handler: createConsumer(store, prompt) }),
    startStreamReader({
      ...stream,
      handler: ({ Records }) =>
        followUp({ Records: Records.filter((record) => lengthyWork.some((filter) => passes(record, filter))) }),
      reader: 'follow-up',
    }),
  ];
  return async () => {
    clearInterval(timer);
    await Promise.all(readers.map((reader) => reader.stop()));
  };
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
async function index(store: Store, say: (line: string) => void, alone: boolean): Promise<void> {
  try {
    const options = { budget: 10_000, ...(alone ? { settling: 0 } : {}) };
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
