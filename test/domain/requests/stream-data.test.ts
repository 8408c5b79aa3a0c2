/** The mover of the function `stream-data`, with the credentials of the RSEs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { moveData } from '../../../lib/background/move-data.ts';
import { clock } from '../../../lib/clock.ts';
import { functionRun, openStreamMover } from '../../../lib/domain/requests/open-movers.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { addProtocol } from '../../../lib/operations/rses/add-protocol.ts';
import { setRseAttribute } from '../../../lib/operations/rses/set-attribute.ts';
import { showRule } from '../../../lib/operations/rules/get-rule.ts';
import { type S3Service, startS3Service } from '../../support/s3-service.ts';
import { startWebdavService, type WebdavService } from '../../support/webdav-service.ts';
import { data } from '../dids/catalogue.ts';
import { newMoverCatalogue } from './movers.ts';

let [s3, dav]: [S3Service?, WebdavService?] = [];
const folder = mkdtempSync(join(tmpdir(), 'dapple-stream-data-'));

beforeAll(async () => {
  [s3, dav] = [await startS3Service(), await startWebdavService({ token: 'secret' })];
  const credentials = join(folder, 'credentials.json');
  const keys = { access_key: 'AKID', secret_key: 'secret' };
  writeFileSync(credentials, JSON.stringify({ AAA: { auth_token: 'secret' }, BBB: keys }));
  vi.stubEnv('RSE_CREDENTIALS_FILE', credentials);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([s3?.close(), dav?.close()]);
  rmSync(folder, { recursive: true });
});

it('copies between WebDAV and S3 what fits its life; the rules of the rest say why not', async () => {
  const catalogue = await newMoverCatalogue();
  const priorities = { read: 1, write: 1, delete: 1 };
  const addAt = async (rse: 'AAA' | 'BBB' | 'CCC', prefix: string, origin?: string) => {
    const { hostname = 'localhost', port = '0' } = origin === undefined ? {} : new URL(origin);
    const place = { hostname, port: Number(port), prefix, impl: 'rucio.rse.protocols.gfal.Default' };
    const scheme = origin === undefined ? 'file' : 'http';
    await addProtocol(catalogue.at(), rse, scheme, { ...place, domains: { lan: priorities, wan: priorities } });
    await setRseAttribute(catalogue.at(), { rse, key: 'lfn2pfn_algorithm', value: 'identity' });
  };
  await addAt('AAA', '/store', dav?.origin);
  await addAt('BBB', '/bucket', s3?.origin);
  await addAt('CCC', '/folder');
  await setRseAttribute(catalogue.at(), { rse: 'BBB', key: 'sign_url', value: 's3' });
  await setRseAttribute(catalogue.at(), { rse: 'BBB', key: 'mover', value: 'stream' });
  dav?.files.set('/store/data/f', Buffer.from('0123456789'));
  const files = [{ ...data('large'), bytes: 3_000_000_001 }];
  await addReplicas(catalogue.at(), { rse: 'AAA', files, ignore_availability: true });
  await catalogue.register('CCC', ['local']);
  const [small = ''] = await catalogue.want(['f']);
  const large = await catalogue.rule('large', { rse_expression: 'BBB' });
  const local = await catalogue.rule('local', { rse_expression: 'BBB' });
  const { signal } = new AbortController();
  const movers = [openStreamMover([], functionRun)];
  await moveData(catalogue.store.begin(), { movers, holder: 'test', until: clock.now() + 60_000, signal });
  expect(await catalogue.show(small)).toBe('OK 1/0/0');
  expect(s3?.objects.get('/bucket/data/f')?.content.toString()).toBe('0123456789');
  expect(await showRule(catalogue.at(), large)).toMatchObject({
    state: 'STUCK',
    error: 'A function copies 3000000000 bytes between these RSEs at most, in 600 s; the file has 3000000001.',
  });
  expect(await showRule(catalogue.at(), local)).toMatchObject({
    state: 'STUCK',
    error: expect.stringContaining('is not below a folder that this server may use'),
  });
});
