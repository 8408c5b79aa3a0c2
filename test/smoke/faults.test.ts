/** Deployments with a fault put in: the line that it breaks tells it, with what to do, and lines beside it pass. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readOptions } from '../../smoke/options.ts';
import type { Told } from '../../smoke/report.ts';
import { runLines } from '../../smoke/run.ts';
import { makeCertificate } from '../support/certificate.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { type Case, cases } from './faults.ts';
import { type Fault, type FaultyProxy, startProxy } from './faulty-proxy.ts';
import { runSmoke } from './run-smoke.ts';

let server: ServerProcess;
const certificate = makeCertificate();
const folder = mkdtempSync(join(tmpdir(), 'dapple-smoke-'));
const authority = join(folder, 'authority.pem');
beforeAll(async () => {
  server = await startServerProcess(['--in-memory', '--no-browser']);
  writeFileSync(authority, certificate.cert);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Runs some lines on the server behind a front end with a fault. */
async function withFault(
  fault: Fault,
  only: readonly string[],
  { isTls = false, isHanging = false }: Partial<Case> = {},
): Promise<readonly Told[]> {
  const proxy: FaultyProxy = await startProxy(server.url, fault, isTls ? certificate : undefined);
  try {
    const args = [
      '--url',
      proxy.url,
      '--patience',
      isHanging ? '6' : '30',
      ...only.flatMap((name) => ['--only', name]),
    ];
    // Only a new process trusts the certificate.
    if (isTls) return (await runSmoke([...args, '--json'], { NODE_EXTRA_CA_CERTS: authority })).lines();
    const options = readOptions(args, {});
    return options === undefined ? [] : await runLines(options, () => {});
  } finally {
    await proxy.close();
  }
}

/** The line of a name. */
function lineOf(lines: readonly Told[], name: string): Told | undefined {
  return lines.find((line) => line.name === name);
}

async function expectTold(one: Case): Promise<void> {
  const { fault, line, came, advice, passes = [] } = one;
  const run = await withFault(fault, [line, ...passes], one);
  const told = lineOf(run, line);
  expect(told).toMatchObject({ result: 'failed' });
  expect(told?.came).toMatch(came);
  expect(told?.advice).toMatch(advice);
  expect(passes.map((name) => `${name} ${lineOf(run, name)?.result} ${lineOf(run, name)?.came}`)).toEqual(
    passes.map((name) => expect.stringMatching(`^${name} ok `) as string),
  );
}

const isHanging = (one: Case) => one.isHanging === true;

describe('a deployment whose', () => {
  // These mostly wait: several at once, each behind a front end of its own, while the log of events is short.
  it.concurrent.each(cases.filter(isHanging))('fault is that $what', expectTold);

  it.each(cases.filter((one) => !isHanging(one)))('fault is that $what', expectTold);
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
