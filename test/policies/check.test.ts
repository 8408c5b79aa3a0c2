/** A change of the policy: nothing is out of reach after it, and `npm run policy -- check` tells what could not be made any more. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { program } from '../support/programs.ts';
import { shellEnvironment } from '../support/server-process.ts';
import { addDisk, type PolicyServer, segment, startWithPolicy } from './start-with-policy.ts';
import { prepareVanished, testVanished } from './suites/vanished.ts';

const run = promisify(execFile);
const data = mkdtempSync(join(tmpdir(), 'policy-check-'));

/** Ends with the exit code and what it has printed. */
async function check(policy: string, of = ['--data', data]): Promise<string> {
  const args = [program('local/policy.ts'), 'check', '--policy', policy, ...of];
  return run(process.execPath, args, { env: shellEnvironment() }).then(
    ({ stdout }) => `0\n${stdout}`,
    (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) =>
      `${error.code}\n${error.stdout}${error.stderr}`,
  );
}

const scope = 'epic';
const name = '/EVGEN/q2=1to10/run:1..2/a+b';
const dataset = '/EVGEN/all';

let generic: PolicyServer;
afterAll(async () => {
  await generic?.process.stop();
  rmSync(data, { recursive: true });
});

describe('a stricter policy', () => {
  let toldOfData: string;

  beforeAll(async () => {
    const eic = await startWithPolicy('eic', ['--data', data]);
    await eic.must('POST', `/accounts/root/scopes/${scope}`);
    await eic.must('POST', '/accounts/Alice', { type: 'USER', email: 'a@example.org' });
    await addDisk(eic, 'EIC-XRD', { attributes: { lfn2pfn_algorithm: 'eic' } });
    await addDisk(eic, 'EIC-HASH', { attributes: { lfn2pfn_algorithm: 'hash' } });
    await eic.must('POST', `/dids/${scope}/${segment(dataset)}`, { type: 'DATASET' });
    const dids = [{ scope, name, bytes: 3, adler32: '024d0127' }];
    await eic.must('POST', `/dids/${scope}/${segment(dataset)}/dids`, { dids, rse: 'EIC-HASH' });
    await eic.must('POST', '/accountlimits/local/root/EIC-HASH', { bytes: 1_000 });
    const rule = { account: 'root', copies: 1, rse_expression: 'EIC-HASH', activity: 'DAC21' };
    await eic.must('POST', '/rules/', { ...rule, dids: [{ scope, name: dataset }] });
    await prepareVanished(eic);
    await eic.process.stop();
  });

  it('is told from the one under which the catalogue was made', async () => {
    expect(await check('eic')).toMatch(/^0\n/);
    const told = (toldOfData = await check('generic'));
    expect(told).toMatch(/^1\n/);
    expect(told).toContain(`FILE ${scope}:${name}: Problem validating did: '${name}' does not match`);
    expect(told).toContain("'Alice' does not match '^[a-z0-9-_]+$'");
    expect(told).toContain("'DAC21' is no activity");
    expect(told).toContain('EIC-XRD has the lfn2pfn_algorithm eic, which the policy does not have');
    expect(told).toContain('DIDs: 4 checked, 1 would not be allowed any more');
  });

  it('is told of RSEs whose paths would change', async () => {
    expect(await check('ctao')).toContain('EIC-XRD has the lfn2pfn_algorithm eic');
  });

  describe('keeps what is there', () => {
    beforeAll(async () => {
      generic = await startWithPolicy('generic', ['--data', data]);
    });

    it('and is told by the server the same', async () => {
      const sorted = (told: string) => told.split('\n').toSorted();
      expect(sorted(await check('generic', ['--url', generic.process.url]))).toEqual(sorted(toldOfData));
    });

    it('within reach: read, listed, found, detached and deleted', async () => {
      const { must, ask } = generic;
      const path = `/dids/${scope}/${segment(name)}`;
      expect((await must('GET', path)).lines).toMatchObject([{ name, type: 'FILE' }]);
      expect((await must('GET', `/dids/${scope}/${segment(dataset)}/files`)).lines).toMatchObject([{ name }]);
      expect((await must('GET', `/replicas/${scope}/${segment(name)}`)).lines).toMatchObject([{ name }]);
      await must('POST', `${path}/meta/events`, { value: 5 });
      expect((await must('GET', '/accounts/Alice')).lines).toMatchObject([{ account: 'Alice' }]);
      const refused = await ask('POST', `${path}2`, { type: 'DATASET' });
      expect(refused.error).toMatch(/^InvalidObject: Problem validating did: /);
      const rules = (await must('GET', `/dids/${scope}/${segment(dataset)}/rules`)).lines as { id: string }[];
      for (const { id } of rules) await must('DELETE', `/rules/${id}`, { purge_replicas: true });
      await must('DELETE', `/dids/${scope}/${segment(dataset)}/dids`, { dids: [{ scope, name }] });
      await must('DELETE', '/accounts/Alice');
      const files = [{ scope, name }];
      const replicas = () => ask('DELETE', '/replicas/', { rse: 'EIC-HASH', files });
      await expect.poll(async () => (await replicas()).status, { timeout: 20_000 }).toBe(200);
    });
  });
});

describe('an RSE whose path algorithm the policy does not have any more', () => testVanished(() => generic));
