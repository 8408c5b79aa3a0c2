import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { seedCatalogue } from '../../bench/table/catalogue.ts';
import { localClient } from '../../local/local-client.ts';
import { createTable } from '../../local/table.ts';
import { type ServedEngine, serveFaultyEngine } from '../support/faulty-engine.ts';
import { ownEngine } from '../support/run.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { uniqueName } from '../support/server.ts';

/** Rows of the list; with names of this length about 1,700 fill a page of the table. */
const files = 16_000;
const nameLength = 240;

let engine: ServedEngine;
let server: ServerProcess;
let token: string;
/** Pages of the list that the server requested. */
let pages = 0;

/** Whether a request to the engine reads the content of the dataset. */
const isPage = (operation: string, input: Record<string, unknown>) =>
  operation === 'Query' && JSON.stringify(input).includes('D#big#everything');

const count = (operation: string, input: Record<string, unknown>) => {
  if (isPage(operation, input)) pages += 1;
  return undefined;
};

beforeAll(async () => {
  const own = await ownEngine();
  const tableName = uniqueName('Table');
  const client = localClient(own.client);
  await createTable(client, tableName, { stream: false });
  await seedCatalogue(own.transport, tableName, { scope: 'big', files, collections: 0, seed: 1, nameLength });
  client.destroy();
  engine = await serveFaultyEngine(own);
  server = await startServerProcess(['--in-memory'], { DYNAMODB_ENDPOINT: engine.endpoint, TABLE_NAME: tableName });
  const login = await fetch(`${server.url}/auth/userpass`, {
    headers: { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' },
  });
  token = login.headers.get('X-Rucio-Auth-Token') ?? '';
});

afterAll(async () => {
  await server?.stop();
  await engine?.close();
});

/** Runs curl on the list and returns its output and exit code. */
async function curl(...options: readonly string[]): Promise<{ code: number; lines: number; said: string }> {
  const list = `${server.url}/dids/big/everything/files`;
  const child = spawn('curl', ['-sS', '-H', `X-Rucio-Auth-Token: ${token}`, ...options, list]);
  let [output, said] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, lines: output.split('\n').length - 1, said };
}

describe('a stream (dids 1.4)', () => {
  it.each([[[]], [['--compressed']]])('is complete, %j', async (options) => {
    engine.injectFaults(() => undefined);
    expect(await curl(...options)).toEqual({ code: 0, lines: files, said: '' });
  });

  it.each([
    { options: [], how: /18|transfer closed|unexpected eof/i },
    { options: ['--compressed'], how: /18|transfer closed|unexpected eof/i },
  ])('that fails on its third page ends as an error, never as a short success, $options', async ({ options, how }) => {
    pages = 0;
    engine.injectFaults((operation, input) => {
      count(operation, input);
      const broken = { __type: 'com.amazonaws.dynamodb.v20120810#ValidationException', message: 'broken' };
      return isPage(operation, input) && pages === 3 ? { kind: 'answer', status: 400, body: broken } : undefined;
    });
    const ended = await curl(...options);
    expect(ended.code).not.toBe(0);
    expect(ended.said).toMatch(how);
    expect(ended.lines).toBeLessThan(files);
  });

  it('waits for a reader that has stopped: nothing more is read from the table', async () => {
    pages = 0;
    engine.injectFaults(count);
    const request = get(`${server.url}/dids/big/everything/files`, { headers: { 'X-Rucio-Auth-Token': token } });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.pause();
    // The buffers on the way are still filled.
    let before = -1;
    while (before !== pages) {
      before = pages;
      await sleep(1_000);
    }
    const memory = server.residentMemory();
    await sleep(2_000);
    expect(pages).toBe(before);
    expect(server.residentMemory() - memory).toBeLessThan(8);
    let lines = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) lines += chunk.toString().split('\n').length - 1;
    expect(lines).toBe(files);
    expect(pages).toBeGreaterThan(before);
  });
});
