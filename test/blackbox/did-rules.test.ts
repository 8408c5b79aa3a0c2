import { beforeAll, describe, expect, it } from 'vitest';

import { newRuleSetup } from '../support/rules.ts';
import { asRoot, expectError, uniqueName } from '../support/server.ts';

const root = asRoot();
let scope: string;
let one: string;
let two: string;

beforeAll(async () => {
  ({ scope, one, two } = await newRuleSetup());
});

describe('rules given with a DID (dids 2.2 step 9, 2.13)', () => {
  it('are listed with all 34 keys, and are OK on an empty DID', async () => {
    const name = uniqueName();
    const rules = [
      { copies: 2, rse_expression: `${one}|${two}`, lifetime: 3600, comment: 'why', grouping: 'NONE', priority: 4 },
      { copies: 1, rse_expression: one, account: 'root', locked: true, activity: 'Staging', notify: 'Y' },
    ];
    expect((await root.post(`/dids/${scope}/${name}`, { type: 'DATASET', rules })).status).toBe(201);
    const listed = (await root.get(`/dids/${scope}/${name}/rules`)).lines() as Record<string, unknown>[];
    const [second, first] = listed.toSorted((a, b) => Number(a['copies']) - Number(b['copies']));
    const date = expect.stringMatching(/ UTC$/);
    const common = {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      scope,
      name,
      did_type: 'DATASET',
      account: 'root',
      state: 'OK',
      locks_ok_cnt: 0,
      locks_replicating_cnt: 0,
      locks_stuck_cnt: 0,
      created_at: date,
      updated_at: date,
      bytes: 0,
      ...Object.fromEntries(
        [
          'stuck_at',
          'eol_at',
          'deleted_at',
          'error',
          'weight',
          'subscription_id',
          'source_replica_expression',
          'child_rule_id',
          'meta',
        ].map((key) => [key, null]),
      ),
      ...Object.fromEntries(
        ['purge_replicas', 'ignore_availability', 'ignore_account_limit', 'split_container'].map((key) => [key, false]),
      ),
    };
    expect(first).toEqual({
      ...common,
      copies: 2,
      rse_expression: `${one}|${two}`,
      expires_at: date,
      comments: 'why',
      grouping: 'NONE',
      priority: 4,
      locked: false,
      activity: 'default',
      notification: 'NO',
    });
    expect(second).toEqual({
      ...common,
      copies: 1,
      rse_expression: one,
      expires_at: null,
      comments: null,
      grouping: 'DATASET',
      priority: 3,
      locked: true,
      activity: 'Staging',
      notification: 'YES',
    });
    expect(Object.keys(first ?? {})).toHaveLength(34);
  });

  it.each(['/rules', '/associated_rules'])(
    'of an unknown DID are 404, for a strange Accept 406: %s',
    async (suffix) => {
      expectError(
        await root.get(`/dids/${scope}/missing${suffix}`),
        404,
        'DataIdentifierNotFound',
        `Data identifier '${scope}:missing' not found`,
      );
      expectError(
        await root.get(`/dids/${scope}/missing${suffix}`, { headers: { Accept: 'text/html' } }),
        406,
        'UnsupportedRequestedContentType',
      );
    },
  );

  it('a DID without rules has none, and a file without locks has no associated ones (dids 2.14)', async () => {
    const name = uniqueName();
    await root.post(`/dids/${scope}/${name}`, { type: 'DATASET' });
    for (const suffix of ['/rules', '/associated_rules']) {
      expect(await root.get(`/dids/${scope}/${name}${suffix}`)).toMatchObject({ status: 200, text: '' });
    }
  });
});
