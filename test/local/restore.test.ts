/**
 * A rehearsal of the restore in docs/operations/restore.md. Copies of the data are taken at random instants under load. Each is
 * restored into a new table hours later, recovered before the first request, and verified.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { recountUsage } from '../../lib/background/recount-usage.ts';
import { clock } from '../../lib/clock.ts';
import { bootstrapRoot } from '../../lib/domain/accounts/bootstrap.ts';
import { rowsOf } from '../../lib/domain/paging/page.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import { addScope } from '../../lib/operations/accounts/add-scope.ts';
import { addDids } from '../../lib/operations/dids/add-dids.ts';
import { attachDids } from '../../lib/operations/dids/attach-dids.ts';
import { showDid } from '../../lib/operations/dids/get-did.ts';
import { listContent } from '../../lib/operations/dids/list-content.ts';
import { addRse } from '../../lib/operations/rses/add-rse.ts';
import { openStore, type Store } from '../../lib/store/open-store.ts';
import { localClient } from '../../local/local-client.ts';
import { type LocalEngine, openEngine } from '../../local/open-engine.ts';
import { createTable } from '../../local/table.ts';
import { newFaultyEngine } from '../support/faulty-engine.ts';
import { ownEngine } from '../support/run.ts';
import { seedFrom, volumeOf } from '../support/volume.ts';

const seed = seedFrom('RESTORE_SEED');
const hour = 3_600_000;
const backups = volumeOf('restoredCopies');
const datasets = ['a', 'b', 'c'];
const bytes = 7;

/** A request of the load: attaches several files to a dataset. */
interface Attachment {
  readonly dataset: string;
  readonly names: readonly string[];
  isAnswered: boolean;
}

interface Backup {
  readonly folder: string;
  /** The requests that were answered before the copy. */
  readonly answered: readonly Attachment[];
}

const folder = mkdtempSync(join(tmpdir(), 'dapple-restore-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const contextOf = (store: Store): Context => ({
  store: store.begin(),
  now: Date.now(),
  issuer: { account: 'root', identity: 'ddmlab' },
});

/** Pseudo-random numbers from 0 to 1 for a seed (mulberry32). */
function randomOf(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const attachments: Attachment[] = [];
const copies: Backup[] = [];

/** Runs the load, and copies the data in the middle of table requests. */
async function load(): Promise<void> {
  // Clients need a region and credentials.
  await ownEngine();
  const random = randomOf(seed);
  const source = join(folder, 'source');
  const engine = openEngine(source);
  const line = newFaultyEngine(engine);
  await createTable(localClient(engine.client), 'Source');
  const store = openStore({ ...line.client, tableName: 'Source' });
  await bootstrapRoot(store, { username: 'ddmlab', password: 'secret' });
  await addScope(contextOf(store), { scope: 'beam', account: 'root' });
  await addRse(contextOf(store), 'DISK', {});
  await addDids(
    contextOf(store),
    datasets.map((name) => ({ scope: 'beam', name, type: 'DATASET' as const })),
  );
  let requests = 0;
  let next = 100;
  line.injectFaults((operation, input) => {
    requests += 1;
    // The first copy is taken in the middle of a bulk request, the others at any time.
    const isMoment = copies.length > 0 || insertsItems(operation, input);
    if (requests >= next && isMoment && copies.length < backups) {
      next = requests + 50 + Math.floor(random() * 200);
      copies.push(backUp(source));
    }
    return undefined;
  });
  const client = async (name: string) => {
    for (let round = 0; copies.length < backups; round += 1) {
      const size = random() < 0.3 ? 1 : 12 + Math.floor(random() * 40);
      const names = Array.from({ length: size }, (_value, index) => `${name}.${round}.${index}`);
      const attachment: Attachment = { dataset: datasets[round % datasets.length] ?? 'a', names, isAnswered: false };
      attachments.push(attachment);
      const files = names.map((file) => ({ scope: 'beam', name: file, bytes, adler32: '0cc737eb' }));
      await attachDids(contextOf(store), { scope: 'beam', name: attachment.dataset }, files, 'DISK');
      attachment.isAnswered = true;
    }
  };
  await Promise.all(['one', 'two', 'three', 'four'].map(client));
  engine.close();
}

/** Whether a request stages the new items of a bulk request. */
const insertsItems = (operation: string, input: object) =>
  operation === 'BatchExecuteStatement' && JSON.stringify(input).includes('INSERT INTO');

/** The engine is idle while its files are copied, like a restore to a point in time. */
function backUp(source: string): Backup {
  const copy = join(folder, `copy${copies.length}`);
  mkdirSync(copy);
  for (const file of ['dapple.sqlite', 'dapple.sqlite-wal']) copyFileSync(join(source, file), join(copy, file));
  return { folder: copy, answered: attachments.filter(({ isAnswered }) => isAnswered) };
}

/** Writes all items of a copy into a new table. Its stream begins then and has no earlier records. */
async function restore(copy: string): Promise<LocalEngine> {
  const [source, target] = [openEngine(copy), openEngine()];
  const [from, to] = [source, target].map(({ client }) => localClient(client));
  if (from === undefined || to === undefined) throw new Error('no clients');
  await createTable(to, 'Restored', { stream: false });
  const writer = DynamoDBDocumentClient.from(to);
  for await (const items of pagesOf(from, 'Source')) {
    const Restored = items.map((Item) => ({ PutRequest: { Item } }));
    if (Restored.length > 0) await writer.send(new BatchWriteCommand({ RequestItems: { Restored } }));
  }
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const };
  await to.send(new UpdateTableCommand({ TableName: 'Restored', StreamSpecification }));
  source.close();
  return target;
}

/** The items with staged changes. */
async function listStaged({ client }: LocalEngine): Promise<string[]> {
  const pages = await Array.fromAsync(pagesOf(localClient(client), 'Restored'));
  const isStaged = (item: object) => Object.keys(item).some((name) => name.startsWith('~') || name === 'gone');
  return pages.flat().flatMap((item) => (isStaged(item) ? [`${String(item['PK'])} / ${String(item['SK'])}`] : []));
}

async function* pagesOf(client: DynamoDBClient, TableName: string): AsyncGenerator<Record<string, unknown>[]> {
  const documents = DynamoDBDocumentClient.from(client);
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await documents.send(new ScanCommand({ TableName, ExclusiveStartKey, Limit: 25 }));
    yield page.Items ?? [];
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
}

let rolledBack = 0;

beforeAll(load, 60_000);

describe(`a restore (RESTORE_SEED=${seed})`, () => {
  it.each(Array.from({ length: backups }, (_value, index) => index))(
    'of copy %d has all that was answered, each request whole or not at all, and exact sums',
    async (index) => {
      const { folder: copy, answered } = copies[index] ?? { folder: '', answered: [] };
      const engine = await restore(copy);
      vi.useFakeTimers({ toFake: ['Date'], now: clock.now() + 2 * hour });
      try {
        const store = openStore({ ...engine.client, tableName: 'Restored' });
        rolledBack += await store.recoverBatches(true);
        const present = new Map<string, Set<string>>();
        for (const name of datasets) {
          const content = await Array.fromAsync(rowsOf(listContent(contextOf(store), { scope: 'beam', name })));
          present.set(name, new Set(content.map((row) => row.name)));
          const did = await showDid(contextOf(store), { scope: 'beam', name }, { dynamic: false });
          expect(did).toMatchObject({ length: content.length, bytes: content.length * bytes });
        }
        for (const { dataset, names } of attachments) {
          const found = names.filter((name) => present.get(dataset)?.has(name));
          expect([0, names.length], names[0]).toContain(found.length);
        }
        for (const { dataset, names } of answered) {
          for (const name of names) expect(present.get(dataset)?.has(name), name).toBe(true);
        }
        const sums = await Array.fromAsync(recountUsage(store));
        expect(sums.map(({ verdict }) => verdict)).toEqual(['right']);
        expect(await listStaged(engine)).toEqual([]);
      } finally {
        vi.useRealTimers();
        engine.close();
      }
    },
  );

  it('started from copies that were taken in the middle of requests', () => {
    expect(copies).toHaveLength(backups);
    expect(rolledBack).toBeGreaterThan(0);
  });
});
