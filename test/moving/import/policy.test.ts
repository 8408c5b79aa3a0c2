/** A Rucio of CMS moves in: its names come, whatever the policy of the target, and are compared. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type PolicyServer, segment, startWithPolicy } from '../../policies/start-with-policy.ts';
import { runHere, runProcess } from '../../support/run-program.ts';
import { newFolder } from './imports.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import {
  account,
  attach,
  dates,
  did,
  disk,
  file,
  identity,
  insert,
  lock,
  mapping,
  password,
  passwordRow,
  replica,
  rse,
  rule,
  ruleIds,
} from './rows.ts';

const folder = newFolder();
const block = '/HIMinimumBias0/HIRun2023A-v1/RAW#0a1b2c3d-1111';
const lfn = `/store/${'l'.repeat(480)}.root`;
const rseName = 'T2_CH_CERN_Disk';

/** CMS's tables have names of 500 letters. */
const widened = ['dids.name', 'contents.child_name', 'replicas.name', 'locks.name'].map((column) => {
  const [table, name] = column.split('.');
  return `ALTER TABLE ${table} ALTER COLUMN ${name} TYPE varchar(500);`;
});

const cmsRucio = [
  ...widened,
  insert('vos', { vo: 'def', ...dates }),
  account('root', { account_type: 'SERVICE' }),
  identity('ddmlab', 'USERPASS', passwordRow),
  mapping('ddmlab', 'USERPASS', 'root'),
  insert('scopes', { scope: 'beam26', account: 'root', is_default: false, status: 'O', ...dates }),
  rse(disk, rseName),
  insert('rse_attr_map', { rse_id: disk, key: rseName, value: 'true', ...dates }),
  did(block, 'D', { length: 1, bytes: 10 }),
  file(lfn),
  attach(block, lfn),
  replica(lfn, disk, 'A', { lock_cnt: 1 }),
  rule(ruleIds.ok, block, 'O', { rse_expression: rseName, activity: 'Production Output', locks_ok_cnt: 1 }),
  lock(lfn, disk, ruleIds.ok, 'O'),
];

describe('a Rucio of CMS', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres(cmsRucio);
  });
  afterAll(async () => {
    await postgres.close();
    folder.remove();
  });
  const into = (policy: string) => ['--from', postgres.url, '--to', `data:${folder.in(policy)}`, '--parallel', '1'];

  it('comes under another policy, too: it judges new names alone', async () => {
    expect(await runHere('moving/main-import.ts', into('generic'), { POLICY: 'generic' })).toMatchObject({ code: 0 });
  });

  describe('under its own policy', () => {
    let server: PolicyServer;
    beforeAll(async () => {
      const { code, output } = await runProcess('moving/main-import.ts', into('cms'), { POLICY: 'cms' });
      expect(code, output).toBe(0);
      server = await startWithPolicy('cms', ['--data', folder.in('cms')], password);
    });
    afterAll(() => server.process.stop());

    it('comes whole', async () => {
      expect((await server.must('GET', `/dids/beam26/${segment(block)}/files`)).lines).toMatchObject([{ name: lfn }]);
      const rules = (await server.must('GET', `/dids/beam26/${segment(block)}/rules`)).lines;
      expect(rules).toMatchObject([{ id: ruleIds.ok, rse_expression: rseName, activity: 'Production Output' }]);
      const { lines } = await server.must('POST', '/replicas/list', { dids: [{ scope: 'beam26', name: block }] });
      expect(lines).toMatchObject([{ name: lfn, states: { [rseName]: 'AVAILABLE' } }]);
    });

    it('is compared with its names', async () => {
      const { url } = server.process;
      const environment = { POLICY: 'cms', LEFT_PASSWORD: password, RIGHT_PASSWORD: password };
      const outcome = await runProcess('moving/main-compare.ts', ['--left', url, '--right', url], environment);
      expect(outcome).toMatchObject({ code: 0 });
    });
  });
});
