/** The official client with the names of experiments, against servers with their policies. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { addDisk, startWithPolicy } from '../policies/start-with-policy.ts';
import { createClientHome } from './support/client-home.ts';

/** A server and a client: 8 s alone. */
const timeoutMs = 180_000;

const experiments = [
  {
    policy: 'cms',
    scope: 'user.alice',
    file: '/store/user/rucio/alice/Run2024C/RAW/b4c0513e.root',
    dataset: '/ParkingVBF5/Run2024C-v1/USER#0a1b2c3d-1111',
    container: '/ParkingVBF5/Run2024C-v1/USER',
    rse: 'T2_CH_CERN_Disk',
    activity: 'User AutoApprove',
  },
  {
    policy: 'belleii',
    scope: 'mc',
    file: '/belle/MC/release-06/hlt+1.root',
    dataset: '/belle/MC/release-06/sub00',
    container: '/belle/MC/release-06',
    rse: 'Napoli-TMP-SE',
    activity: 'User Merge',
  },
  {
    policy: 'lsst',
    scope: 'main',
    file: 'HSC-R+HSC-G/calexp~1.fits',
    dataset: 'Dataset/HSC/runs+PDR2~1',
    container: 'Container/HSC',
    rse: 'SLAC_BUTLER_DISK',
    activity: 'Data Challenge',
  },
  {
    policy: 'ctao',
    scope: 'user.alice',
    file: '/ctao/user/a/alice/run1.fits',
    dataset: '/ctao/user/a/alice',
    container: '/ctao/user',
    rse: 'CTAO-DISK',
    activity: 'Production Output',
  },
] as const;

describe.each(experiments)('the official client with the names of $policy', (names) => {
  const { policy, scope, file, dataset, container, rse, activity } = names;

  it('uploads, protects, lists, downloads and deletes', { timeout: timeoutMs }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dapple-policy-'));
    const server = await startWithPolicy(policy);
    const url = server.process.url;
    const user = { account: 'root', username: 'ddmlab', password: 'secret' };
    const home = await createClientHome(user, { rucio_host: url, auth_host: url });
    try {
      await server.must('POST', `/accounts/root/scopes/${scope}`);
      await addDisk(server, rse, { prefix: join(folder, 'storage') });
      await server.must('POST', `/accountlimits/local/root/${rse}`, { bytes: 1_000_000 });
      const { status, stdout, stderr } = await home.python('policy_names', JSON.stringify(names), folder);
      expect(status, stderr).toBe(0);
      expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
        content: [dataset],
        files: [file],
        parents: [container],
        found: [file],
        rules: [[dataset, activity, 'OK']],
        rses: [[rse]],
        metadata: 7,
        downloaded: ['content'],
        expired: true,
      });
    } finally {
      await home.remove();
      await server.process.stop();
      await rm(folder, { recursive: true });
    }
  });
});
