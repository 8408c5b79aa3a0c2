import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { moveData } from '../../lib/background/move-data.ts';
import { measure } from '../../lib/store/items/meter.ts';
import { openStore } from '../../lib/store/open-store.ts';
import { startServer } from '../../local/server.ts';
import { addStorage, type Ask, logInAsRoot } from '../../test/support/laptop.ts';
import { checksumsOf, makeFaults, startStorage } from './move-storage.ts';

/*
 * Copies a dataset between two storages by a mover: the time, the requests and the units. With `--faults` some seven requests in a
 * hundred go wrong; with `--kills` the function runs in processes of its own, of which so many are killed at random instants.
 * The program fails unless every file is there, with its content, and the rule is OK.
 */

const { values } = parseArgs({
  options: {
    kind: { type: 'string', default: 's3' },
    files: { type: 'string', default: '10000' },
    faults: { type: 'boolean', default: false },
    kills: { type: 'string', default: '0' },
  },
});
const [files, kills] = [Number(values.files), Number(values.kills)];
if (values.kind !== 's3' && values.kind !== 'webdav') throw new Error('--kind is s3 or webdav');

const tableName = 'DappleMoves';
const dataset = { scope: 'data', name: 'all' };
const perRequest = 500;
/** The longest life of a process before it is killed, from its first line on. */
const maxLifeMs = 5_000;
/** Time to look again for what is due: failed copies, and those of dead movers. */
const pauseMs = 1_000;

const folder = await mkdtemp(join(tmpdir(), 'dapple-moves-'));
const storage = await startStorage(values.kind);
const server = await startServer({ port: 0, inMemory: true, dynamodbPort: 0, tableName });
try {
  const ask = await logInAsRoot(server.url);
  const expected = await prepare(ask);
  const faults = new Map<string, number>();
  if (values.faults) for (const one of storage.servers) one.setFaults(makeFaults(faults));
  for (const { calls } of storage.servers) calls.length = 0;
  const [rule = ''] = (await ask('POST', '/rules/', {
    dids: [dataset],
    account: 'root',
    copies: 1,
    rse_expression: 'TWO',
  })) as string[];
  await untilState(ask, rule, 'REPLICATING');
  const started = performance.now();
  const text = kills > 0 ? await moveWithKills(ask, rule) : await moveHere(ask, rule);
  console.log(`${files} files copied in ${((performance.now() - started) / 1_000).toFixed(1)} s; ${text}`);
  report(faults);
  check(expected, await stateOfRule(ask, rule));
} finally {
  await server.close();
  for (const one of storage.servers) await one.close();
  await rm(folder, { recursive: true });
}

/** Registers the files of a dataset on `ONE`, and puts them there; returns their contents by path at the destination. */
async function prepare(ask: Ask): Promise<Map<string, string>> {
  await ask('POST', '/scopes/root/data');
  for (const [rse, { origin, prefix }] of [
    ['ONE', storage.source],
    ['TWO', storage.destination],
  ] as const) {
    await addStorage(ask, rse, prefix, new URL(origin));
    await ask('POST', `/rses/${rse}/attr/lfn2pfn_algorithm`, { value: 'identity' });
    for (const [key, value] of Object.entries(storage.attributes)) {
      await ask('POST', `/rses/${rse}/attr/${key}`, { value });
    }
  }
  await ask('POST', '/rses/TWO/attr/mover', { value: storage.mover.name });
  await ask('POST', `/dids/${dataset.scope}/${dataset.name}`, { type: 'DATASET' });
  const expected = new Map<string, string>();
  for (let start = 0; start < files; start += perRequest) {
    const dids = Array.from({ length: Math.min(perRequest, files - start) }, (_value, index) => {
      const [name, content] = [`file.${start + index}`, `content of ${start + index}`];
      storage.put(`${storage.source.prefix}/data/${name}`, content);
      expected.set(`${storage.destination.prefix}/data/${name}`, content);
      return { scope: 'data', name, bytes: content.length, ...checksumsOf(content) };
    });
    await ask('POST', `/dids/${dataset.scope}/${dataset.name}/dids`, { rse: 'ONE', dids });
  }
  return expected;
}

async function stateOfRule(ask: Ask, rule: string): Promise<string> {
  return ((await ask('GET', `/rules/${rule}`)) as { state: string }).state;
}

async function untilState(ask: Ask, rule: string, wanted: string): Promise<void> {
  while ((await stateOfRule(ask, rule)) !== wanted) await sleep(pauseMs);
}

/** Copies in this process. @returns What it cost. */
async function moveHere(ask: Ask, rule: string): Promise<string> {
  const store = openStore({ ...server.engine.client, tableName });
  const { signal } = new AbortController();
  const { result, cost } = await measure(async () => {
    const sum = { done: 0, failed: 0 };
    const begun = performance.now();
    while ((await stateOfRule(ask, rule)) !== 'OK') {
      const options = { movers: [storage.mover], holder: 'bench', until: Number.MAX_SAFE_INTEGER, signal };
      const { done, failed } = await moveData(store.begin(), options);
      if (sum.done === 0)
        console.log(`${done} files in the first ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
      sum.done += done;
      sum.failed += failed;
      await sleep(pauseMs);
    }
    return sum;
  });
  const [reads, writes] = [cost.rru / files, cost.wru / files];
  return `${result.failed} attempts failed; a file: ${reads.toFixed(2)} read units, ${writes.toFixed(2)} write units`;
}

/** Copies in two processes at a time, of which one after the other is killed. @returns How many were. */
async function moveWithKills(ask: Ask, rule: string): Promise<string> {
  const credentials = join(folder, 'credentials.json');
  await writeFile(credentials, JSON.stringify({ TWO: { access_key: 'AKID', secret_key: 'secret' } }));
  const environment = {
    PATH: process.env['PATH'],
    TABLE_NAME: tableName,
    AWS_ENDPOINT_URL_DYNAMODB: server.dynamodbUrl,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    RSE_CREDENTIALS_FILE: credentials,
    LOG_LEVEL: 'ERROR',
  };
  const begin = () =>
    spawn(process.execPath, [join(import.meta.dirname, 'mover-process.ts')], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const killOne = async (one: ReturnType<typeof begin>) => {
    await once(one.stdout, 'data');
    await sleep(Math.random() * maxLifeMs);
    one.kill('SIGKILL');
    await once(one, 'exit');
  };
  let killed = 0;
  const lane = async () => {
    while (killed < kills) {
      killed += 1;
      await killOne(begin());
    }
  };
  await Promise.all([lane(), lane()]);
  const before = storage.copies().size;
  const last = begin();
  await untilState(ask, rule, 'OK');
  last.kill();
  await once(last, 'exit');
  return `${killed} movers killed, after which ${before} files were there`;
}

/** Prints what the storages were asked. */
function report(faults: ReadonlyMap<string, number>): void {
  const methods = new Map<string, number>();
  for (const { calls } of storage.servers) {
    for (const call of calls) {
      const method = call.split(' ')[0] ?? '';
      methods.set(method, (methods.get(method) ?? 0) + 1);
    }
  }
  console.log(`requests to the storage: ${describe(methods)}`);
  if (faults.size > 0) console.log(`of which went wrong: ${describe(faults)}`);
}

function describe(counts: ReadonlyMap<string, number>): string {
  return Array.from(counts, ([name, count]) => `${count} ${name}`).join(', ');
}

/** @throws Error unless every file is there, as it should be. */
function check(expected: ReadonlyMap<string, string>, state: string): void {
  const copies = storage.copies();
  const wrong = [...expected].filter(([path, content]) => copies.get(path) !== content).map(([path]) => path);
  const more = [...copies.keys()].filter((path) => !expected.has(path));
  const again = [...storage.writes.values()].filter((count) => count > 1).length;
  console.log(
    `rule ${state}; ${expected.size - wrong.length} of ${expected.size} files there with their content, ` +
      `${again} written more than once; beside them ${more.length}, such as ${more[0] ?? 'nothing'}`,
  );
  if (wrong.length > 0 || state !== 'OK') throw new Error(`${wrong.length} files are missing or wrong: ${wrong[0]}`);
}
