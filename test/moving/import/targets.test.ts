import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Transport } from '../../../local/engine/src/transport.ts';
import { clientOf, openEngine } from '../../../local/open-engine.ts';
import { createTableInput } from '../../../local/table.ts';
import { DataFolder } from '../../../moving/write/data-folder.ts';
import { Files } from '../../../moving/write/files.ts';
import type { PreparedItem } from '../../../moving/write/prepared-item.ts';
import { DynamoTable } from '../../../moving/write/table.ts';
import { importInto, itemsOf, newFolder, tableName } from './imports.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import { did, file } from './rows.ts';
import { smallRucio } from './small-rucio.ts';

const folder = newFolder();
const direct = folder.in('direct');
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres(smallRucio);
  await importInto(new DataFolder(direct, tableName), { url: postgres.url });
});
afterAll(async () => {
  await postgres.close();
  folder.remove();
});

/** The items in the files of a folder, as DynamoDB's import reads them. */
function readFiles(path: string): PreparedItem[] {
  const lines = readdirSync(path)
    .toSorted()
    .flatMap((name) =>
      gunzipSync(readFileSync(join(path, name)))
        .toString()
        .trimEnd()
        .split('\n'),
    );
  return lines.map((line) => {
    const { Item } = JSON.parse(line) as { Item: { PK: { S: string }; SK: { S: string } } };
    return { PK: Item.PK.S, SK: Item.SK.S, text: JSON.stringify(Item) };
  });
}

/** Puts items into a new data folder, and returns those that are there then. */
async function load(name: string, items: readonly PreparedItem[]): Promise<string[]> {
  const target = new DataFolder(folder.in(name), tableName);
  await target.open(undefined);
  await target.put(items);
  await target.close();
  return itemsOf(folder.in(name));
}

describe('files', () => {
  it('hold what a direct import makes, each item once', async () => {
    const path = folder.in('files');
    // Small files, so that there are several.
    await importInto(new Files(path, 4_096), { url: postgres.url, statePath: folder.in('files.state') });
    const items = readFiles(path);
    expect(readdirSync(path).length).toBeGreaterThan(5);
    expect(items).toHaveLength(itemsOf(direct).length);
    expect(await load('loaded', items)).toEqual(itemsOf(direct));
  });

  it('that a killed run has left behind are written anew', async () => {
    const path = folder.in('again');
    const statePath = folder.in('again.state');
    await importInto(new Files(path), { url: postgres.url, statePath, only: ['accounts', 'scopes'] });
    writeFileSync(join(path, 'items-000003.json.gz'), 'complete, but not noted');
    writeFileSync(join(path, 'items-000004.json.gz.part'), 'not complete');
    await importInto(new Files(path), { url: postgres.url, statePath });
    expect(readdirSync(path).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(await load('again.loaded', readFiles(path))).toEqual(itemsOf(direct));
  });

  it('are continued in a table, which gets only what has changed', async () => {
    const statePath = folder.in('files.state');
    await expect(importInto(new Files(folder.in('files')), { url: postgres.url, statePath })).rejects.toThrow(
      'Files that are written cannot follow changes',
    );
    await postgres.run(did('later', 'D'), file('later.1'), "DELETE FROM dids WHERE name = 'inside';");
    const data = folder.in('loaded');
    expect(await importInto(new DataFolder(data, tableName), { url: postgres.url, statePath })).toMatchObject({
      run: 2,
    });
    await importInto(new DataFolder(folder.in('anew'), tableName), { url: postgres.url });
    expect(itemsOf(data)).toEqual(itemsOf(folder.in('anew')));
  });
});

it('the table of the how-to is the one that the stack has', () => {
  const page = readFileSync('docs/how-to/move-in.md', 'utf8');
  const [, text = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
  expect(JSON.parse(text)).toEqual(createTableInput('dapple-prod-moved', false));
});

describe('a table', () => {
  it('gets every item, also when it is too busy for most of a request', async () => {
    const engine = openEngine(folder.in('table'));
    const busy = new BusyEngine(engine.transport);
    const target = new DynamoTable(tableName, { ...clientOf(busy), region: 'us-east-1' });
    await importInto(target, { url: postgres.url });
    const { StreamSpecification } = await describeTable(engine.transport);
    engine.close();
    expect(busy.undone).toBeGreaterThan(100);
    expect(StreamSpecification).toMatchObject({ StreamEnabled: true });
    expect(itemsOf(folder.in('table'))).toEqual(itemsOf(folder.in('anew')));
  });

  it('that holds something else is refused', async () => {
    const engine = openEngine(folder.in('table'));
    const target = new DynamoTable(tableName, { ...engine.client, region: 'us-east-1' });
    await expect(importInto(target, { url: postgres.url })).rejects.toThrow('that this import has not written');
    engine.close();
  });
});

async function describeTable(transport: Transport): Promise<{ readonly StreamSpecification?: object }> {
  const { body } = await transport.send('DescribeTable', JSON.stringify({ TableName: tableName }));
  return (JSON.parse(body) as { Table: { StreamSpecification?: object } }).Table;
}

type Requests = Record<string, unknown[]>;

/** An engine that leaves most of each request undone. */
class BusyEngine implements Transport {
  readonly #engine: Transport;
  undone = 0;

  constructor(engine: Transport) {
    this.#engine = engine;
  }

  async send(operation: string, body: string) {
    if (operation !== 'BatchWriteItem') return this.#engine.send(operation, body);
    const { RequestItems } = JSON.parse(body) as { RequestItems: Requests };
    const requests = RequestItems[tableName] ?? [];
    const done = requests.slice(0, Math.ceil(requests.length / 3));
    const left = requests.slice(done.length);
    const answer = await this.#engine.send(operation, JSON.stringify({ RequestItems: { [tableName]: done } }));
    this.undone += left.length;
    return { ...answer, body: JSON.stringify({ UnprocessedItems: left.length === 0 ? {} : { [tableName]: left } }) };
  }
}
