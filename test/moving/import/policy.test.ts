/** A Rucio of CMS moves in: its names come, whatever the policy of the target, and are compared. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type PolicyServer, segment, startWithPolicy } from '../../policies/start-with-policy.ts';
import { shellEnvironment } from '../../support/server-process.ts';
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

/** Ends with the exit code and what it has printed. */
async function run(program: string, policy: string, args: readonly string[], more = {}): Promise<string> {
  const env = { ...shellEnvironment(), POLICY: policy, ...more };
  return promisify(execFile)(process.execPath, [program, ...args], { env }).then(
    ({ stdout }) => `0\n${stdout}`,
    (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) =>
      `${error.code}\n${error.stdout}${error.stderr}`,
  );
}

describe('a Rucio of CMS', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
    for (const statement of cmsRucio) await postgres.run(statement);
  });
  afterAll(async () => {
    await postgres.close();
    folder.remove();
  });
  const importWith = (policy: string) =>
    run('moving/main-import.ts', policy, [
      '--from',
      postgres.url,
      '--to',
      `data:${folder.in(policy)}`,
      '--parallel',
      '1',
    ]);

  it('comes under another policy, too: it judges new names alone', async () => {
    expect(await importWith('generic')).toMatch(/^0\n/);
  });

  describe('under its own policy', () => {
    let server: PolicyServer;
    beforeAll(async () => {
      expect(await importWith('cms')).toMatch(/^0\n/);
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
      const passwords = { LEFT_PASSWORD: password, RIGHT_PASSWORD: password };
      expect(await run('moving/main-compare.ts', 'cms', ['--left', url, '--right', url], passwords)).toMatch(/^0\n/);
    });
  });
});
