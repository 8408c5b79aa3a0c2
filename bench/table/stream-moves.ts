import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { startServer } from '../../local/server.ts';
import { addStorage, type Ask, logInAsRoot } from '../../test/support/laptop.ts';
import { checksumsOf } from './move-storage.ts';
import { measureLarge } from './stream-large.ts';
import { type Kind, kinds, startStreamStorage } from './stream-storage.ts';

/*
 * Copies a dataset from each kind of storage to each kind by the streaming mover, in processes of which some are killed at random
 * instants, between storages of which some six requests in a hundred go wrong. The program fails unless every file is there with
 * its content, every source too, and nothing else. `--large 0.5,2` copies files of so many GiB instead, and tells the memory.
 */

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '20' },
    faults: { type: 'boolean', default: false },
    large: { type: 'string' },
  },
});
const [files, kills] = [Number(values.files), Number(values.kills)];
const tableName = 'DappleStreams';
const perRequest = 500;
/** One file in so many is larger than a part. */
const largeEvery = 25;
const largeBytes = 300_000;
/** The longest life of a process before it is killed, from its first line on. */
const maxLifeMs = 15_000;
const pauseMs = 1_000;

const folder = await realpath(await mkdtemp(join(tmpdir(), 'dapple-streams-')));
if (values.large !== undefined) {
  for (const size of values.large.split(',')) await measureLarge(Math.round(Number(size) * 2 ** 30), folder);
  await rm(folder, { recursive: true });
  process.exit();
}
const storage = await startStreamStorage(folder);
const server = await startServer({ port: 0, inMemory: true, dynamodbPort: 0, tableName });
try {
  const ask = await logInAsRoot(server.url);
  await prepare(ask);
  const rules = await askForCopies(ask);
  const faults = new Map<string, number>();
  if (values.faults) storage.setFaults(faults);
  const started = performance.now();
  await moveWithKills(ask, rules);
  storage.setFaults(undefined);
  const seconds = (performance.now() - started) / 1_000;
  console.log(`${files * kinds.length ** 2} copies in ${seconds.toFixed(1)} s, ${kills} movers killed`);
  if (faults.size > 0) console.log(Array.from(faults, ([name, count]) => `${count} ${name}`).join(', '));
  await check();
} finally {
  await server.close();
  await storage.close();
  await rm(folder, { recursive: true });
}

/** The content of a file. */
function contentOf(kind: Kind, number: number): string {
  const text = `${kind} content of ${number} `;
  return number % largeEvery === 0 ? text.repeat(Math.ceil(largeBytes / text.length)) : text;
}

/** Registers the files of each kind, and puts them there. */
async function prepare(ask: Ask): Promise<void> {
  await ask('POST', '/scopes/root/data');
  for (const kind of kinds) {
    for (const side of ['from', 'to']) {
      const rse = `${kind}-${side}`.toUpperCase();
      await addStorage(ask, rse, storage.prefix(kind, side), storage.address(kind));
      await ask('POST', `/rses/${rse}/attr/lfn2pfn_algorithm`, { value: 'identity' });
      if (kind === 's3') await ask('POST', `/rses/${rse}/attr/sign_url`, { value: 's3' });
      if (side === 'to') await ask('POST', `/rses/${rse}/attr/mover`, { value: 'stream' });
    }
    await ask('POST', `/dids/data/of-${kind}`, { type: 'DATASET' });
    for (let start = 0; start < files; start += perRequest) {
      const dids = [];
      for (let number = start; number < Math.min(files, start + perRequest); number += 1) {
        const content = contentOf(kind, number);
        await storage.put(kind, `${storage.prefix(kind, 'from')}/data/${kind}.${number}`, content);
        dids.push({ scope: 'data', name: `${kind}.${number}`, bytes: content.length, ...checksumsOf(content) });
      }
      await ask('POST', `/dids/data/of-${kind}/dids`, { rse: `${kind}-from`.toUpperCase(), dids });
    }
  }
}

/** A rule for each dataset on each destination. */
async function askForCopies(ask: Ask): Promise<string[]> {
  const rules: string[] = [];
  for (const from of kinds) {
    for (const to of kinds) {
      const dids = [{ scope: 'data', name: `of-${from}` }];
      const wish = { dids, account: 'root', copies: 1, rse_expression: `${to}-to`.toUpperCase() };
      rules.push(...((await ask('POST', '/rules/', wish)) as string[]));
    }
  }
  return rules;
}

/** Copies in two processes at a time, of which one after the other is killed; then in one until all rules are OK. */
async function moveWithKills(ask: Ask, rules: readonly string[]): Promise<void> {
  const environment = {
    PATH: process.env['PATH'],
    TABLE_NAME: tableName,
    AWS_ENDPOINT_URL_DYNAMODB: server.dynamodbUrl,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    LOG_LEVEL: 'ERROR',
  };
  const begin = () =>
    spawn(process.execPath, [join(import.meta.dirname, 'stream-process.ts'), folder], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  let killed = 0;
  const lane = async () => {
    while (killed < kills) {
      killed += 1;
      const one = begin();
      await once(one.stdout, 'data');
      await sleep(Math.random() * maxLifeMs);
      one.kill('SIGKILL');
      await once(one, 'exit');
    }
  };
  await Promise.all([lane(), lane()]);
  const last = begin();
  for (;;) {
    const states = new Map<string, number>();
    for (const rule of rules) {
      const { state } = (await ask('GET', `/rules/${rule}`)) as { state: string };
      states.set(state, (states.get(state) ?? 0) + 1);
      // Four attempts in a row may fail; an admin would repair it.
      if (state === 'STUCK') await ask('PUT', `/rules/${rule}`, { options: { state: 'STUCK' } });
    }
    if (states.get('OK') === rules.length) break;
    await sleep(pauseMs);
  }
  last.kill();
  await once(last, 'exit');
}

/** @throws Error unless every file is at its source and at all destinations, and nothing else. */
async function check(): Promise<void> {
  let wrong = 0;
  let more = 0;
  for (const to of kinds) {
    const found = await storage.contents(to, storage.prefix(to, 'to'));
    for (const from of kinds) {
      for (let number = 0; number < files; number += 1) {
        const path = `${storage.prefix(to, 'to')}/data/${from}.${number}`;
        if (found.get(path) !== contentOf(from, number)) wrong += 1;
        found.delete(path);
      }
    }
    more += found.size;
    if (found.size > 0) console.log(`left at ${to}: ${[...found.keys()].slice(0, 5).join(', ')}`);
    const sources = await storage.contents(to, storage.prefix(to, 'from'));
    for (let number = 0; number < files; number += 1) {
      if (sources.get(`${storage.prefix(to, 'from')}/data/${to}.${number}`) !== contentOf(to, number)) wrong += 1;
    }
  }
  console.log(`${wrong} files missing or wrong, ${more} left beside them, ${storage.uploads()} uploads left`);
  if (wrong > 0) throw new Error(`${wrong} files are missing or wrong`);
}
