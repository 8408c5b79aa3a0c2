/** A path algorithm that a changed policy does not have any more: its RSE has no paths, and nothing else is hindered. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { addDisk, type PolicyServer, segment, startWithPolicy } from './start-with-policy.ts';

const data = mkdtempSync(join(tmpdir(), 'policy-vanished-'));
const scope = 'epic';
const name = '/EVGEN.1';
const dataset = '/all';

describe('an RSE whose path algorithm the policy does not have any more', () => {
  let server: PolicyServer;

  beforeAll(async () => {
    const eic = await startWithPolicy('eic', ['--data', data]);
    await eic.must('POST', `/accounts/root/scopes/${scope}`);
    await addDisk(eic, 'EIC-XRD', { attributes: { lfn2pfn_algorithm: 'eic', greedyDeletion: 'true' } });
    await addDisk(eic, 'DISK', { attributes: { lfn2pfn_algorithm: 'hash' } });
    await eic.must('POST', `/dids/${scope}/${segment(dataset)}`, { type: 'DATASET' });
    for (const rse of ['EIC-XRD', 'DISK']) {
      const files = [{ scope, name, bytes: 3, adler32: '024d0127' }];
      await eic.must('POST', '/replicas/', { rse, files });
    }
    await eic.must('POST', `/dids/${scope}/${segment(dataset)}/dids`, {
      dids: [{ scope, name, bytes: 3, adler32: '024d0127' }],
    });
    await eic.process.stop();
    server = await startWithPolicy('generic', ['--data', data]);
  });
  afterAll(async () => {
    await server.process.stop();
    rmSync(data, { recursive: true });
  });

  it('is told at the start of the server', () => {
    expect(server.process.said.join('\n')).toContain('does not have the lfn2pfn_algorithm of EIC-XRD (eic)');
  });

  it('hides no replica on others, nor that it has one', async () => {
    const { lines } = await server.must('GET', `/replicas/${scope}/${segment(name)}`);
    expect(lines).toMatchObject([{ name, rses: { DISK: [expect.any(String)] } }]);
    expect(lines).toMatchObject([{ states: { DISK: 'AVAILABLE', 'EIC-XRD': 'AVAILABLE' } }]);
    const listed = await server.must('POST', '/replicas/list', { dids: [{ scope, name: dataset }] });
    expect(listed.lines).toMatchObject([{ name, states: { DISK: 'AVAILABLE', 'EIC-XRD': 'AVAILABLE' } }]);
    await server.must('GET', `/replicas/${scope}/${segment(dataset)}/datasets`);
    await server.must('GET', '/rses/EIC-XRD');
  });

  it('gets its paths back by another algorithm', async () => {
    await server.must('POST', '/rses/EIC-XRD/attr/lfn2pfn_algorithm', { value: 'identity' });
    const { lines } = await server.must('GET', `/replicas/${scope}/${segment(name)}`);
    expect(lines).toMatchObject([{ rses: { 'EIC-XRD': [expect.stringContaining(name)] } }]);
  });

  it('lets go of its files', async () => {
    const files = [{ scope, name }];
    await server.must('DELETE', '/replicas/', { rse: 'EIC-XRD', files });
  });
});
