import { beforeAll, describe, expect, it } from 'vitest';

import { expectStatus, newStorageRse, register } from '../support/replicas.ts';
import { newReplicationSetup, type ReplicationSetup, putReplicaStates } from '../support/replication.ts';
import { newRule } from '../support/rules.ts';
import { asRoot, expectEmpty, expectError, newAccount, uniqueName } from '../support/server.ts';

const root = asRoot();
let setup: ReplicationSetup;
const files = ['a/b', 'c', 'd'].map((name) => `${name}-${uniqueName()}`);
let rules: string[];

const membersOfRucio = (
  'account activity adler32 attributes bytes created_at dest_rse dest_rse_id dest_url did_type err_msg estimated_at ' +
  'estimated_started_at estimated_transferred_at external_host external_id id last_processed_at last_processed_by md5 name ' +
  'previous_attempt_id priority request_type requested_at retry_count rule_id scope source_rse source_rse_id ' +
  'staging_finished_at staging_started_at started_at state submitted_at submitter_id transferred_at transfertool updated_at'
).split(' ');

beforeAll(async () => {
  setup = await newReplicationSetup();
  await register(setup.one, setup.scope, files, { md5: '61e7d212cfe1776e49be2f97b69b7f4d' });
  rules = [];
  for (const name of files) {
    rules.push(await newRule({ scope: setup.scope, name }, setup.two, { activity: 'Express' }, setup.owner));
  }
});

const between = (from: string, to: string, states = 'Q') =>
  `/requests/list?src_rse=${from}&dst_rse=${to}&request_states=${states}`;

describe('GET /requests/{scope}/{name}/{rse} (access 6.6)', () => {
  it('shows the request of a rule, of names with slashes too, until the copy is there', async () => {
    const { scope, one, two, account } = setup;
    const [name = ''] = files;
    const path = `/requests/${scope}/${name}/${two}`;
    const answer = await root.get(path);
    expectStatus(answer, 200);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(Object.keys(answer.json() as object).toSorted()).toEqual([...membersOfRucio, 'sources'].toSorted());
    expect(answer.json()).toMatchObject({
      scope,
      name,
      rule_id: rules[0],
      account,
      activity: 'Express',
      state: 'QUEUED',
      request_type: 'TRANSFER',
      dest_rse: two,
      source_rse: null,
      sources: [one],
      bytes: 10,
      adler32: '0cc737eb',
      created_at: expect.stringMatching(/ UTC$/),
    });
    expectStatus(await root.get(`/requests/${scope}/${encodeURIComponent(name)}/${two}`), 200);
    const stranger = await newAccount();
    expectStatus(await stranger.get(path), 200);
    await putReplicaStates(two, [{ scope, name }], 'A');
    const none = `No request found for DID ${scope}:${name} at RSE ${two}`;
    expectError(await root.get(path), 404, 'RequestNotFound', none);
    const other = files[1] ?? '';
    const unfinished = `No request found for DID ${scope}:${other} at RSE ${two}`;
    expectError(await root.get(`/requests/history/${scope}/${other}/${two}`), 404, 'RequestNotFound', unfinished);
    const denied = `${stranger.account} cannot retrieve the request DID ${scope}:${name} to RSE ${two}. `;
    expectError(await stranger.get(`/requests/history/${scope}/${name}/${two}`), 401, 'AccessDenied', denied);
  });

  it('fails for unknown RSEs and DIDs, and other media types', async () => {
    const { scope, two } = setup;
    expectError(
      await root.get(`/requests/${scope}/c/NONE`),
      404,
      'RSENotFound',
      "RSE 'NONE' cannot be found in vo 'def'",
    );
    expectError(await root.get(`/requests/history/${scope}/c/NONE`), 404, 'RSENotFound');
    expectError(await root.get(`/requests/${scope}/none/${two}`), 404, 'RequestNotFound');
    expectError(await root.get(`/requests/c/${two}`), 400, 'ValueError', /^Could not parse '\/c'/);
    const html = await root.get(`/requests/${scope}/c/${two}`, { headers: { Accept: 'text/html' } });
    expectError(html, 406, 'UnsupportedRequestedContentType');
  });
});

describe('GET /requests/list (access 6.6)', () => {
  it('lists requested copies, in pages, for admins only', async () => {
    const { scope, one, two } = setup;
    const answer = await root.get(between(one, two));
    expectStatus(answer, 200);
    expect(answer.headers.get('Content-Type')).toBe('application/x-json-stream');
    const lines = answer.lines() as { name: string; attributes: string; source_rse: string }[];
    expect(lines.map(({ name }) => name)).toEqual(files.slice(1).toSorted());
    expect(lines).toMatchObject([
      { scope, source_rse: one },
      { scope, source_rse: one },
    ]);
    expect(JSON.parse(lines[0]?.attributes ?? '')).toMatchObject({ activity: 'Express', bytes: 10 });
    const page = await root.get(`${between(one, two)}&limit=1`);
    expect(page.lines()).toHaveLength(1);
    expect(page.headers.get('Link')).toContain('rel="next"');
    expect((await root.get(between(two, one))).lines()).toEqual([]);
    const stranger = await newAccount();
    const denied = `${stranger.account} cannot list requests from RSEs ['${one}'] to RSEs ['${two}']. `;
    expectError(await stranger.get(between(one, two)), 401, 'AccessDenied', denied);
    const history = between(one, two).replace('list', 'history/list');
    expectError(await stranger.get(history), 401, 'AccessDenied', denied);
    expect((await root.get(`${history}&offset=0&limit=100`)).lines()).toEqual([]);
  });

  it.each(["['Q']", "['D', 'Q']", 'D, Q', 'QUEUED', "['QUEUED']"])(
    'takes states by letter or name, also as the official client sends a list: %s',
    async (states) => {
      const { one, two } = setup;
      expect((await root.get(between(one, two, encodeURIComponent(states)))).lines()).toHaveLength(2);
    },
  );

  it.each([
    ['', 400, 'MissingParameter', 'Request state is missing'],
    ["?request_states=['X']&src_rse=X&dst_rse=Y", 400, 'Invalid', 'Request state value is invalid'],
    ['?request_states=[]&src_rse=X&dst_rse=Y', 400, 'Invalid', 'Request state value is invalid'],
    ['?request_states=queued&src_rse=X&dst_rse=Y', 400, 'Invalid', 'Request state value is invalid'],
    ['?request_states=Q&src_rse=X', 400, 'MissingParameter', 'Destination RSE is missing'],
    ['?request_states=X&src_rse=X&dst_rse=Y', 400, 'Invalid', 'Request state value is invalid'],
    ['?request_states=Q&src_site=X&dst_site=Y', 404, 'NotFound', 'Could not resolve site name X to RSE'],
    ['?request_states=Q&src_rse=X&dst_rse=Y', 404, 'RSENotFound', "RSE 'X' cannot be found in vo 'def'"],
  ])('%s is refused, of the history too', async (query, status, name, message) => {
    for (const path of ['/requests/list', '/requests/history/list']) {
      expectError(await root.get(path + query), status, name, message);
    }
  });
});

describe('GET /requests/metrics and transfer_limits (access 6.6)', () => {
  it('show distances, to admins only', async () => {
    const { one, two } = setup;
    expectStatus(await root.post(`/rses/${one}/distances/${two}`, { distance: 3 }), 201);
    const metrics = await root.get(`/requests/metrics?src_rse=${one}`);
    expect(metrics.lines()).toEqual([{ distance: 3, src_rse: one, dst_rse: two }]);
    expect((await root.get(`/requests/metrics?src_rse=${one}&dst_rse=${one}`)).lines()).toEqual([]);
    expectError(await root.get('/requests/metrics?dst_rse=NONE'), 404, 'RSENotFound');
    const stranger = await newAccount();
    const denied = `${stranger.account} cannot get request statistics. `;
    expectError(await stranger.get('/requests/metrics'), 401, 'AccessDenied', denied);
    const unlisted = `${stranger.account} cannot list transfer limits. `;
    expectError(await stranger.get('/requests/transfer_limits'), 401, 'AccessDenied', unlisted);
  });
});

describe('PUT and DELETE /requests/transfer_limits (access 6.6)', () => {
  const path = '/requests/transfer_limits';
  const limitsOf = async (rse: string) =>
    ((await root.get(path)).lines() as { rse_expression: string }[]).filter((line) => line.rse_expression === rse);

  it('keep a limit for each expression, activity and direction', async () => {
    const rse = await newStorageRse();
    expectStatus(await root.put(path, { rse_expression: rse, max_transfers: 5 }), 201);
    const all = {
      rse_expression: rse,
      activity: 'Express',
      direction: 'S',
      max_transfers: 7,
      volume: 1000,
      deadline: 2,
    };
    expectStatus(await root.put(path, { ...all, strategy: 'grouped_fifo', transfers: 3, waitings: 4 }), 201);
    const first = { activity: 'all_activities', direction: 'DESTINATION', max_transfers: 5, strategy: 'fifo' };
    const second = { ...all, direction: 'SOURCE', strategy: 'grouped_fifo', transfers: 3, waitings: 4 };
    const both = [{ ...first, volume: 0, deadline: 1, transfers: null, waitings: null }, second];
    expect(await limitsOf(rse)).toHaveLength(2);
    expect(await limitsOf(rse)).toEqual(expect.arrayContaining(both.map((line) => expect.objectContaining(line))));
    expectStatus(await root.put(path, { rse_expression: rse, max_transfers: null, volume: 9 }), 201);
    expect(await limitsOf(rse)).toContainEqual(expect.objectContaining({ ...first, volume: 9 }));
    for (const selector of [{}, {}, { activity: 'Express', direction: 'SOURCE' }]) {
      expectEmpty(await root.delete(path, { rse_expression: rse, ...selector }));
    }
    expect(await limitsOf(rse)).toEqual([]);
  });

  it('refuse what is no limit', async () => {
    const { one } = setup;
    const put = (more: object) => root.put(path, { rse_expression: one, max_transfers: 1, ...more });
    for (const more of [
      { direction: 'd' },
      { max_transfers: 'x' },
      { max_transfers: 1.5 },
      { activity: 'a'.repeat(51) },
    ]) {
      expectError(await put(more), 400, 'InvalidObject');
    }
    for (const expression of ['((', 'NO-SUCH-RSE']) {
      expectError(await put({ rse_expression: expression }), 400, 'InvalidRSEExpression');
    }
    expectError(await root.put(path, { rse_expression: one }), 400, 'KeyError', "'max_transfers' not defined");
    expectError(await root.delete(path, {}), 400, 'KeyError', "'rse_expression' not defined");
    expect(await limitsOf(one)).toEqual([]);
  });
});
