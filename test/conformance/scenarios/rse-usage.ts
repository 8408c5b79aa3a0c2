import { account, as, rse, use } from '../steps.ts';
import type { JsonValue, Scenario } from '../types.ts';

const root = as('root');
const alice = as('usg-alice');
const A = '/rses/USG_A/usage';
const BAD_INPUT = use(400, 'InvalidObject', 'rses 0.2');
const JSON_ONLY = { headers: { Accept: 'application/json' } };
const STREAM = { headers: { Accept: 'application/x-json-stream' } };

const say = (what: string, body: JsonValue) => root.put(what, A, body);

/** Usage of RSEs. Rucio enters nothing in the history by itself, and fills in what accounts use only later. */
export const rseUsage: Scenario = {
  name: 'rse-usage',
  about: 'usage and past usage of RSEs, and what accounts use of them',
  steps: [
    ...account('usg-alice'),
    ...account('usg-admin'),
    root.post('make admin an admin', '/accounts/usg-admin/attr/admin', { value: 'true' }),
    rse('USG_A'),
    root.get('usage of a new RSE', A),
    root.get('past usage of a new RSE', `${A}/history`),

    say('say all', { source: 'storage', used: 10, free: 90, files: 3 }),
    root.get('all that was said', `${A}?source=storage`),
    say('say less', { source: 'storage', used: 20 }),
    root.get('less', `${A}?source=storage`),
    say('say free only', { source: 'storage', free: 5 }),
    root.get('free only', `${A}?source=storage`),
    say('say nothing', { source: 'empty' }),
    root.get('nothing', `${A}?source=empty`),
    say('say nulls', { source: 'empty', used: null, free: null, files: null }),
    say('say something negative', { source: 'debts', used: -5, free: 2 }),
    root.get('something negative', `${A}?source=debts`),
    say('say something large', { source: 'large', used: 4503599627370496, free: 4503599627370495, files: 1 }),
    root.get('something large', `${A}?source=large`),
    say('say it as Rucio', { source: 'rucio', used: 1000, free: 2000, files: 7 }),
    root.get('what Rucio says', `${A}?source=rucio`),
    root.get('what Rucio says, by account', `${A}?source=rucio&per_account=True`),
    root.get('what storage says, by account', `${A}?source=storage&per_account=1`),
    root.get('what all say', A),
    root.get('what all say, of an empty source', `${A}?source=`),
    root.get('what an unknown source says', `${A}?source=nobody`),
    alice.get('usage for anybody', `${A}?source=storage`),
    root.get('usage by a word', `${A}?per_account=perhaps`),
    root.get('usage by nothing', `${A}?per_account=`),
    root.get('usage as a document', A, JSON_ONLY),
    root.get('usage of an unknown RSE', '/rses/USG_NOPE/usage'),

    root.put('say without source', A, { used: 1 }, use(400, 'KeyError', 'rses 1.25')),
    root.put('say with a null source', A, { source: null, used: 1 }, BAD_INPUT),
    root.put('say with a number for a source', A, { source: 5, used: 1 }, BAD_INPUT),
    root.put('say with a long source', A, { source: 's'.repeat(256), used: 1 }, BAD_INPUT),
    root.put('say a text', A, { source: 'storage', used: 'much' }, BAD_INPUT),
    root.put('say a fraction', A, { source: 'storage', used: 1.5 }, BAD_INPUT),
    root.put('say more than 64 bits', A, { raw: '{"source":"storage","used":9223372036854775808}' }, BAD_INPUT),
    root.put('say without body', A),
    root.put('say a list', A, []),
    root.put('say of an unknown RSE', '/rses/USG_NOPE/usage', { source: 'storage', used: 1 }),
    alice.put('say of an unknown RSE before permission', '/rses/USG_NOPE/usage', { source: 'storage', used: 1 }),
    alice.put('say without permission', A, { source: 'storage', used: 1 }),
    as('usg-admin').put('say as an admin', A, { source: 'storage', used: 1 }),

    root.get('past usage', `${A}/history?source=storage`, { compare: 'status' }),
    root.get('past usage of an unknown source', `${A}/history?source=nobody`),
    root.get('past usage as a document', `${A}/history`, JSON_ONLY),
    root.get('past usage of an unknown RSE', '/rses/USG_NOPE/usage/history'),

    root.get('usage of accounts', '/rses/USG_A/accounts/usage', { compare: 'status' }),
    root.get('usage of accounts as a stream', '/rses/USG_A/accounts/usage', STREAM),
    root.get('usage of accounts on an unknown RSE', '/rses/USG_NOPE/accounts/usage'),
  ],
};
