/** Deployments with a fault put in: the line that it breaks tells it, with what to do, and lines beside it pass. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Deployment } from '../../smoke/deployment.ts';
import { lines } from '../../smoke/lines.ts';
import { logIn } from '../../smoke/lines/log-in.ts';
import { readOptions, type SmokeOptions } from '../../smoke/options.ts';
import type { Made } from '../../smoke/own-things.ts';
import type { Told } from '../../smoke/report.ts';
import { runLines } from '../../smoke/run.ts';
import { makeCertificate } from '../support/certificate.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { answers } from './faults/answers.ts';
import type { Case } from './faults/case.ts';
import { endless } from './faults/endless.ts';
import { requests } from './faults/requests.ts';
import { type Fault, type FaultyProxy, startProxy } from './faulty-proxy.ts';
import { runSmoke } from './run-smoke.ts';

let server: ServerProcess;
const certificate = makeCertificate();
const folder = mkdtempSync(join(tmpdir(), 'dapple-smoke-'));
const authority = join(folder, 'authority.pem');
/** Faults that are seen without waiting. */
const seenAtOnce = [...requests, ...answers];
/** The runs so far. */
const runs = new Map<Case, Promise<readonly Told[]>>();
/** The dataset of 1,000 files, made by the first run that needs it. */
let made: Promise<Made> | undefined;
beforeAll(async () => {
  server = await startServerProcess(['--in-memory', '--no-browser']);
  writeFileSync(authority, certificate.cert);
  // These mostly wait: all at once, each behind a front end of its own, while the log of events is short.
  for (const one of endless) void runOf(one);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

function optionsOf(args: readonly string[]): SmokeOptions {
  const options = readOptions(args, {});
  if (options === undefined) throw new Error('these options ask for help');
  return options;
}

const needFiles = (only: readonly string[]) =>
  lines.some(({ name, needs }) => needs === 'files' && only.includes(name));

/** Makes what the long lines need, at the server itself. */
async function makeFiles(): Promise<Made> {
  const deployment = new Deployment(optionsOf(['--url', server.url]), true);
  expect(await logIn.run(deployment)).toMatchObject({ result: 'ok' });
  await deployment.things.make();
  deployment.http.close();
  return deployment.things;
}

/** Runs some lines on the server behind a front end with a fault. */
async function withFault(
  fault: Fault,
  only: readonly string[],
  { isTls = false, patience = '30' } = {},
): Promise<readonly Told[]> {
  const proxy: FaultyProxy = await startProxy(server.url, fault, isTls ? certificate : undefined);
  try {
    const args = ['--url', proxy.url, '--patience', patience, ...only.flatMap((name) => ['--only', name])];
    // Only a new process trusts the certificate.
    if (isTls) return (await runSmoke([...args, '--json'], { NODE_EXTRA_CA_CERTS: authority })).lines();
    const shared = needFiles(only) ? await (made ??= makeFiles()) : undefined;
    return await runLines(optionsOf(args), () => {}, undefined, shared);
  } finally {
    await proxy.close();
  }
}

/** Runs the lines of a case, unless it was begun before. */
function runOf(one: Case): Promise<readonly Told[]> {
  const begun = runs.get(one);
  if (begun !== undefined) return begun;
  const { fault, line, passes = [], isTls = false } = one;
  const run = withFault(fault, [line, ...passes], { isTls, patience: endless.includes(one) ? '8' : '30' });
  // A failure is that of the test that waits for it.
  run.catch(() => {});
  runs.set(one, run);
  return run;
}

/** The line of a name. */
function lineOf(run: readonly Told[], name: string): Told | undefined {
  return run.find((line) => line.name === name);
}

async function expectTold(one: Case): Promise<void> {
  const { line, came, advice, passes = [] } = one;
  const run = await runOf(one);
  const told = lineOf(run, line);
  expect(told).toMatchObject({ result: 'failed' });
  expect(told?.came, told?.came).toMatch(came);
  expect(told?.advice).toMatch(advice);
  expect(passes.map((name) => `${name} ${lineOf(run, name)?.result} ${lineOf(run, name)?.came}`)).toEqual(
    passes.map((name) => expect.stringMatching(`^${name} ok `) as string),
  );
}

const isLong = ({ line, passes = [] }: Case) => needFiles([line, ...passes]);

describe('a deployment whose', () => {
  // The long dataset is made when the runs are over that read the log of events.
  it.each(seenAtOnce.filter((one) => !isLong(one)))('fault is that $what', expectTold);

  it.each(endless)('fault is that $what', expectTold);

  it.each(seenAtOnce.filter(isLong))('fault is that $what', expectTold);
});

it('over TLS a sound deployment passes every line, HTTP/2 too', async () => {
  const run = await withFault({}, [], { isTls: true });
  expect(run.filter(({ result }) => result === 'failed')).toEqual([]);
  expect(lineOf(run, 'http/2')).toMatchObject({ result: 'ok', came: 'all answered over one connection' });
});

it('where answers are made as a whole, no line fails, and what needs a stream is skipped in words', async () => {
  const asWhole: Fault = {
    before: ({ headers }) => {
      delete headers['accept-encoding'];
    },
    after: ({ headers, body }) => {
      delete headers.vary;
      headers['content-length'] = String(body.length);
      return false;
    },
  };
  const run = await withFault(asWhole, ['gzip', 'long-list', 'live-events', 'head']);
  expect(run.filter(({ result }) => result === 'failed')).toEqual([]);
  expect(lineOf(run, 'long-list')).toMatchObject({ result: 'skipped' });
  expect(lineOf(run, 'long-list')?.came).toMatch(/responseMode=buffer/);
  expect(lineOf(run, 'live-events')).toMatchObject({ result: 'skipped' });
  expect(lineOf(run, 'gzip')?.came).toMatch(/not compressed/);
});
