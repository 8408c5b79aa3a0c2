import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { recountUsage } from '../../../lib/background/recount-usage.ts';
import { listDeletable } from '../../../lib/store/entities/deletable-replica.ts';
import { getIdentities } from '../../../lib/store/entities/identity.ts';
import { openStore } from '../../../lib/store/open-store.ts';
import { openEngine } from '../../../local/open-engine.ts';
import { DataFolder } from '../../../moving/write/data-folder.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import { importInto, itemsOf, newFolder, tableName } from './imports.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import { disk, password, requestId, ruleIds, subscriptionId, tape } from './rows.ts';
import { smallRucio } from './small-rucio.ts';

const folder = newFolder();
const data = folder.in('data');
let postgres: TestPostgres;
let odd: readonly string[];
let server: ServerProcess;
let token = '';

beforeAll(async () => {
  postgres = await startPostgres(smallRucio);
  const outcome = await importInto(new DataFolder(data, tableName), { url: postgres.url });
  expect(outcome).toMatchObject({ run: 1, isComplete: true });
  ({ odd } = outcome);
});
afterAll(async () => {
  await server?.kill();
  await postgres.close();
  folder.remove();
});

describe('an import into a data folder', () => {
  it('tells which rows are odd, and what it did with them', () => {
    expect(odd.toSorted()).toEqual([
      'account_usage root DISK: it says 99 files, 990 bytes; the locks that were taken are 3 and 30, counted anew',
      'contents beam26 open beam26 has space: Dapple has no DIDs of such names or types, left out',
      'dids beam26 has space: Dapple has no DIDs of such names, left out',
      'identities USERPASS gone: it is deleted, left out',
      `locks beam26 f3 ${ruleIds.stuck} ${tape.replaceAll('-', '')}: there is no such replica, left out`,
      'rse_usage DISK: it says 7 files, 77 bytes; the replicas that were taken are 6 and 60, counted anew',
    ]);
  });

  it('takes past usage as far back as Dapple keeps it', () => {
    const past = itemsOf(data).filter((item) => item.includes('USAGEHIST'));
    expect(past).toHaveLength(2);
    expect(past.every((item) => item.includes(String(Date.parse('2026-11-20') / 1000 + 1096 * 86_400)))).toBe(true);
  });

  it('leaves usage that a recount finds right', async () => {
    const engine = openEngine(data);
    try {
      const verdicts = await Array.fromAsync(recountUsage(openStore({ ...engine.client, tableName })));
      expect(verdicts.filter(({ verdict }) => verdict !== 'right')).toEqual([]);
      expect(verdicts.map(({ rse, account = '', counted }) => `${rse} ${account} ${counted.files}`).toSorted()).toEqual(
        ['DISK  6', 'DISK root 3', 'OLD  0', 'TAPE  2', 'TAPE root 2'],
      );
    } finally {
      engine.close();
    }
  });

  it('lists what may be deleted', async () => {
    const engine = openEngine(data);
    try {
      const { table } = openStore({ ...engine.client, tableName });
      const found = await Array.fromAsync(listDeletable(table, disk.replaceAll('-', ''), Date.now()));
      expect(found.map(({ did }) => did.name)).toEqual(['f6']);
    } finally {
      engine.close();
    }
  });

  it('starts a server, to which a user logs in with the old password, which is hashed anew', async () => {
    server = await startServerProcess(['--data', data, '--threads', '0', '--no-tasks']);
    const user = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab' };
    const logIn = (word: string) =>
      fetch(`${server.url}/auth/userpass`, { headers: { ...user, 'X-Rucio-Password': word } });
    expect((await logIn('wrong')).status).toBe(401);
    const answer = await logIn(password);
    expect(answer.status).toBe(200);
    token = answer.headers.get('X-Rucio-Auth-Token') ?? '';
    expect((await logIn(password)).status).toBe(200);
    expect((await logIn('secret')).status).toBe(401);
  });

  it.each([
    ['/accounts/bob', { status: 'SUSPENDED', suspended_at: '2021-08-09T10:11:12', created_at: '2019-03-04T05:06:07' }],
    ['/accounts/alice/limits/local', { DISK: 9_007_199_254_740_992 }],
    ['/accounts/alice/limits/global', { 'DISK|TAPE': { limit: null } }],
    ['/rses/DISK', { id: disk.replaceAll('-', ''), availability_write: true, rse_type: 'DISK' }],
    ['/rses/DISK/attr/', { DISK: true, tier: '2' }],
    ['/rses/DISK/limits', { MinFreeSpace: 1_000 }],
    ['/dids/beam26/ds', { type: 'DATASET', open: false, length: 3, bytes: 30 }],
    ['/dids/beam26/open', { open: true, length: 1, bytes: 10, expired_at: 'Thu, 01 Jan 2099 00:00:00 UTC' }],
    ['/dids/beam26/ct', { type: 'CONTAINER', length: 3, bytes: 30 }],
    [
      '/dids/beam26/ds/meta?plugin=ALL',
      {
        run_number: 7,
        events: 3,
        energy: 14.5,
        tags: ['a'],
        is_new: null,
        created_at: 'Mon, 04 Mar 2019 05:06:07 UTC',
      },
    ],
    ['/dids/beam26/f1/meta', { guid: '9'.repeat(32), events: 3, bytes: 10 }],
    [
      `/rules/${ruleIds.ok}`,
      { state: 'OK', locks_ok_cnt: 3, comments: 'kept', created_at: 'Mon, 04 Mar 2019 05:06:07 UTC' },
    ],
    [`/rules/${ruleIds.replicating}`, { state: 'REPLICATING', locks_replicating_cnt: 1, priority: 4 }],
    [`/rules/${ruleIds.stuck}`, { state: 'STUCK', locks_stuck_cnt: 1, error: 'No source' }],
    [`/rules/${ruleIds.failed}`, { state: 'STUCK', locks_stuck_cnt: 0, error: 'InsufficientTargetRSEs' }],
    [`/rules/${ruleIds.suspended}`, { state: 'SUSPENDED', copies: 2 }],
    [`/rules/${ruleIds.waiting}`, { state: 'WAITING_APPROVAL' }],
    [`/rules/${ruleIds.parent}`, { child_rule_id: ruleIds.replicating }],
    [`/rules/${ruleIds.ofSubscription}`, { subscription_id: subscriptionId, state: 'OK' }],
    ['/requests/beam26/f1/TAPE', { id: requestId, rule_id: ruleIds.replicating }],
    ['/config/rules/default_activity', 'Production'],
  ])('GET %s', async (path, expected) => {
    const text = await get(path);
    const found: unknown = JSON.parse(text.replaceAll('Infinity', 'null'));
    if (typeof expected === 'object') expect(found).toMatchObject(expected);
    else expect(found).toBe(expected);
  });

  it.each([
    ['/dids/beam26/ds/files', ['"f1"', '"f2"', '"f3"']],
    ['/dids/beam26/open/dids/history', ['"f6"', 'Mon, 09 Aug 2021 10:11:12 UTC']],
    ['/dids/beam26/f1/parents', ['"ds"']],
    ['/archives/beam26/pack.zip/files', ['"inside"']],
    ['/dids/beam26/ds/rules', [ruleIds.ok]],
    ['/rules/beam26/ds/history', ['f'.repeat(32)]],
    ['/dids/beam26/dids/search?type=dataset&run_number=7', ['ds']],
    ['/dids/beam26/dids/search?type=dataset&energy=14.5', ['ds']],
    [`/dids/${'9'.repeat(32)}/guid`, ['"f1"']],
    ['/locks/beam26/ds?did_type=dataset', [ruleIds.ok]],
    ['/replicas/bad/states?state=B', ['"f4"', '2021']],
    ['/subscriptions/root/raw/rules/states', ['"OK"', '1']],
    ['/subscriptions/root/raw', [subscriptionId, 'beam26']],
    ['/lifetime_exceptions/', ['longer']],
    ['/meta_conventions/flavour', ['up']],
    ['/accounts/alice/identities', ['/DC=org/CN=alice']],
    ['/accounts/root/usage/local', ['"TAPE"', '20', '30']],
    ['/rses/DISK/usage', ['storage', '95', '60']],
    ['/rses/TAPE/distances/DISK', ['"distance": 3']],
    ['/rses/DISK/protocols', ['davs', '"third_party_copy_read": 1', '[1]']],
  ])('GET %s lists it', async (path, expected) => {
    const text = (await get(path)).replaceAll(/":\s*/g, '": ');
    for (const part of expected) expect(text).toContain(part);
  });

  it('takes replicas with their states, paths and tombstones', async () => {
    const body = {
      dids: [
        { scope: 'beam26', name: 'f1' },
        { scope: 'beam26', name: 'f5' },
      ],
      all_states: true,
    };
    const text = await send('POST', '/replicas/list', body);
    const states = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { states: object }]));
    expect(states.map((one) => one.states)).toEqual([
      { DISK: 'AVAILABLE', TAPE: 'COPYING' },
      { DISK: 'TEMPORARY_UNAVAILABLE' },
    ]);
  });

  it('resurrects what was deleted before', async () => {
    await send('POST', '/dids/resurrect', [{ scope: 'beam26', name: 'lost' }]);
    expect(await get('/dids/beam26/lost')).toContain('"bytes": 5');
  });

  it('lets a rule proceed as before: the copy that it waits for arrives, and its parent is released', async () => {
    await send('PUT', '/replicas', { rse: 'TAPE', files: [{ scope: 'beam26', name: 'f1', state: 'A' }] });
    expect(await get(`/rules/${ruleIds.replicating}`)).toContain('"state": "OK"');
    expect(await get(`/rules/${ruleIds.parent}`)).toContain('"child_rule_id": null');
  });

  it('has stored the password by our own scheme since the log-in', async () => {
    await server.stop();
    const engine = openEngine(data);
    try {
      const { table } = openStore({ ...engine.client, tableName });
      const [identity] = await getIdentities(table, [{ type: 'USERPASS', identity: 'ddmlab' }]);
      expect(identity?.password).toMatch(/^scrypt\$/);
    } finally {
      engine.close();
    }
  });
});

async function get(path: string): Promise<string> {
  return send('GET', path);
}

async function send(method: string, path: string, body?: unknown): Promise<string> {
  const answer = await fetch(server.url + path, {
    method,
    headers: { 'X-Rucio-Auth-Token': token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text;
}
