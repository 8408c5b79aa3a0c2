/** A path algorithm that a changed policy does not have any more: its RSE has no paths, and nothing else is hindered. */
import { expect, it } from 'vitest';

import { addDisk, type PolicyServer, segment } from '../start-with-policy.ts';

const scope = 'epic.vanished';
const name = '/EVGEN.1';
const dataset = '/vanished';

/** Registers a file on an RSE whose algorithm only the policy eic has, and on another. */
export async function prepareVanished(eic: PolicyServer): Promise<void> {
  await eic.must('POST', `/accounts/root/scopes/${scope}`);
  await addDisk(eic, 'GONE-XRD', { attributes: { lfn2pfn_algorithm: 'eic', greedyDeletion: 'true' } });
  await addDisk(eic, 'DISK', { attributes: { lfn2pfn_algorithm: 'hash' } });
  await eic.must('POST', `/dids/${scope}/${segment(dataset)}`, { type: 'DATASET' });
  for (const rse of ['GONE-XRD', 'DISK']) {
    const files = [{ scope, name, bytes: 3, adler32: '024d0127' }];
    await eic.must('POST', '/replicas/', { rse, files });
  }
  await eic.must('POST', `/dids/${scope}/${segment(dataset)}/dids`, {
    dids: [{ scope, name, bytes: 3, adler32: '024d0127' }],
  });
}

/** The RSE under another policy. */
export function testVanished(generic: () => PolicyServer): void {
  it('is told at the start of the server', () => {
    expect(generic().process.said.join('\n')).toContain(
      'does not have the lfn2pfn_algorithm of EIC-XRD (eic), GONE-XRD (eic)',
    );
  });

  it('hides no replica on others, nor that it has one', async () => {
    const { lines } = await generic().must('GET', `/replicas/${scope}/${segment(name)}`);
    expect(lines).toMatchObject([{ name, rses: { DISK: [expect.any(String)] } }]);
    expect(lines).toMatchObject([{ states: { DISK: 'AVAILABLE', 'GONE-XRD': 'AVAILABLE' } }]);
    const listed = await generic().must('POST', '/replicas/list', { dids: [{ scope, name: dataset }] });
    expect(listed.lines).toMatchObject([{ name, states: { DISK: 'AVAILABLE', 'GONE-XRD': 'AVAILABLE' } }]);
    await generic().must('GET', `/replicas/${scope}/${segment(dataset)}/datasets`);
    await generic().must('GET', '/rses/GONE-XRD');
  });

  it('gets its paths back by another algorithm', async () => {
    await generic().must('POST', '/rses/GONE-XRD/attr/lfn2pfn_algorithm', { value: 'identity' });
    const { lines } = await generic().must('GET', `/replicas/${scope}/${segment(name)}`);
    expect(lines).toMatchObject([{ rses: { 'GONE-XRD': [expect.stringContaining(name)] } }]);
  });

  it('lets go of its files', async () => {
    const files = [{ scope, name }];
    await generic().must('DELETE', '/replicas/', { rse: 'GONE-XRD', files });
  });
}
