import { account, as, use } from '../steps.ts';
import type { JsonValue, Scenario } from '../types.ts';

const root = as('root');
const alice = as('sub-alice');
const bob = as('sub-bob');
const A = '/subscriptions/sub-alice';

const UNKNOWN_OWNER = use(404, 'AccountNotFound', 'access 3.3');
const UNKNOWN_ID = use(404, 'SubscriptionNotFound', 'access 3.2');
const BAD = use(400, 'InvalidObject', 'access 3.3');
const BAD_CHANGE = use(400, 'InvalidObject', 'access 3.4');
const NO_ACTIVITY = use(201, null, 'access 3.3');
const BOTH_SPELLINGS = use(200, null, 'access 8 #5');
const NO_ACTIVITY_CHANGE = use(201, null, 'access 3.4');

const least: { [key: string]: JsonValue } = {
  filter: {},
  replication_rules: [{ activity: 'Staging' }],
  comments: 'c',
  lifetime: null,
  retroactive: false,
};
const options = (more: { [key: string]: JsonValue } = {}) => ({ options: { ...least, ...more } });
const without = (key: string) => ({
  options: Object.fromEntries(Object.entries(least).filter(([each]) => each !== key)),
});
const change = (values: { [key: string]: JsonValue } = {}) => ({ options: values });

/** Subscriptions: created, changed, listed, and their rules. */
export const subscriptions: Scenario = {
  name: 'subscriptions',
  about: 'subscriptions, what they are made of and how they are found',
  steps: [
    ...account('sub-alice'),
    ...account('sub-bob'),
    root.post('make bob an admin', '/accounts/sub-bob/attr/admin', { value: 'true' }),
    root.get('no subscriptions', '/subscriptions/'),
    root.get('no subscriptions of an account', A),
    root.get('no subscriptions of a name', '/subscriptions/name/none'),

    root.post(
      'create',
      `${A}/one`,
      {
        options: {
          filter: { scope: ['user.alice'], account: ['sub-alice'], pattern: 'a\u00e9.*', transient: ['False'] },
          replication_rules: [{ copies: 1, rse_expression: 'X', activity: 'Staging', comments: null }],
          comments: 'first',
          lifetime: 10,
          retroactive: false,
          dry_run: false,
          priority: 5,
        },
      },
      { save: { one: '' } },
    ),
    root.post('create again', `${A}/one`, options()),
    root.post('create with the least', `${A}/two`, options()),
    bob.post('create as admin', `${A}/three`, options({ comments: null, lifetime: false })),
    alice.post('create as the owner', `${A}/four`, options()),
    root.post('create one of the same name elsewhere', '/subscriptions/sub-bob/one', options()),
    root.post('create a retroactive one', `${A}/past`, options({ retroactive: true })),
    root.post('create one with blanks', `${A}/a%20b`, options({ retroactive: 'false', priority: '7', lifetime: 0.5 })),
    root.post('create one of an unknown account', '/subscriptions/sub-nobody/x', options(), UNKNOWN_OWNER),
    root.post('create one with a long name', `${A}/${'n'.repeat(65)}`, options(), BAD),

    root.get('one', `${A}/one`),
    alice.get('one as the owner', `${A}/one`),
    root.get('the least', `${A}/two`),
    root.get('one whose comments are null', `${A}/three`),
    root.get('a retroactive one', `${A}/past`),
    root.get('one with blanks', `${A}/a%20b`),
    root.get('all', '/subscriptions/'),
    root.get('of an account', A),
    root.get('of an account with wildcard', '/subscriptions/sub-al*'),
    root.get('of any account, by name', '/subscriptions/sub-*/one'),
    root.get('by name', '/subscriptions/name/one'),
    root.get('by id', '/subscriptions/id/{{one}}'),
    root.get('by an unknown id', '/subscriptions/id/00000000000000000000000000000000'),
    root.get('by no id', '/subscriptions/id/nope', UNKNOWN_ID),
    root.get('unknown name', `${A}/nope`),
    root.get('unknown account', '/subscriptions/sub-nobody'),
    root.get('unknown account with wildcard', '/subscriptions/sub-nobody*'),
    root.get('capitals: by id', '/subscriptions/Id/{{one}}', BOTH_SPELLINGS),
    root.get('capitals: by name', '/subscriptions/Name/one', BOTH_SPELLINGS),
    root.get('capitals: rules', `${A}/one/Rules`, BOTH_SPELLINGS),
    root.get('capitals: rules by state', `${A}/one/Rules/States`, BOTH_SPELLINGS),
    root.get('capitals: rules of an account by state', `${A}/Rules/States`, BOTH_SPELLINGS),

    root.post('without options', `${A}/x`, {}),
    ...Object.keys(least).map((key) => root.post(`without ${key}`, `${A}/x`, without(key))),
    root.post('options that are a text', `${A}/x`, { options: 'x' }),
    root.post('options of null', `${A}/x`, { options: null }, use(400, 'KeyError', 'access 3.3')),
    root.post('a list', `${A}/x`, [1]),
    root.post('no body', `${A}/x`),
    root.post('a filter of null', `${A}/x`, options({ filter: null }), { compare: 'class' }),
    root.post('a filter that is a text', `${A}/x`, options({ filter: 'x' })),
    root.post('a filter that is a list', `${A}/x`, options({ filter: [1] })),
    root.post('an empty list for a filter', `${A}/x1`, options({ filter: [] }), BAD),
    root.post('a scope that is no list', `${A}/x`, options({ filter: { scope: 'x' } })),
    root.post('a pattern that is no text', `${A}/x`, options({ filter: { pattern: 5 } })),
    root.post('no account name', `${A}/x`, options({ filter: { account: ['A B'] } })),
    root.post('split_rule of 1', `${A}/x`, options({ filter: { split_rule: 1 } })),
    root.post('no rules', `${A}/x`, options({ replication_rules: [] })),
    root.post('rules of null', `${A}/x`, options({ replication_rules: null })),
    root.post('rules that are no list', `${A}/x`, options({ replication_rules: { a: 1 } })),
    root.post('a rule that is no object', `${A}/x`, options({ replication_rules: [5] }), BAD),
    root.post('a rule of an unknown activity', `${A}/x`, options({ replication_rules: [{ activity: 'x' }] })),
    root.post('a rule of no activity', `${A}/x2`, options({ replication_rules: [{ copies: 1 }] }), NO_ACTIVITY),
    root.post('a rule of activity null', `${A}/x3`, options({ replication_rules: [{ activity: null }] }), {
      save: { x3: '' },
    }),
    root.post('a lifetime that is a text', `${A}/x`, options({ lifetime: '5' }), { compare: 'class' }),
    root.post('a lifetime that is a list', `${A}/x`, options({ lifetime: [5] }), { compare: 'class' }),
    root.post('a lifetime beyond all dates', `${A}/x`, options({ lifetime: 1e9 }), BAD),
    root.post('retroactive of x', `${A}/x`, options({ retroactive: 'x' })),
    root.post('retroactive of null', `${A}/x`, options({ retroactive: null })),
    root.post('dry_run of x', `${A}/x`, options({ dry_run: 'x' })),
    root.post('dry_run of null', `${A}/x`, options({ dry_run: null })),
    root.post('a priority that is a word', `${A}/x`, options({ priority: 'x' }), BAD),
    root.post('a priority of 40,000', `${A}/x`, options({ priority: 40_000 }), BAD),
    root.post('a priority of 0', `${A}/x4`, options({ priority: 0 }), { save: { x4: '' } }),
    root.get('of priority 0', `${A}/x4`),
    root.post('comments that are an object', `${A}/x`, options({ comments: { a: 1 } }), BAD),

    root.put('change nothing', `${A}/one`, change()),
    root.get('nothing was changed', `${A}/one`),
    root.put(
      'change everything',
      `${A}/one`,
      change({
        filter: { pattern: 'b', group: 'g' },
        replication_rules: [{ activity: 'Express', copies: 2 }],
        comments: 'second',
        lifetime: '2',
        retroactive: true,
        priority: 6,
      }),
    ),
    root.get('everything was changed', `${A}/one`),
    root.put(
      'change to what is false',
      `${A}/one`,
      change({
        filter: {},
        replication_rules: [],
        comments: '',
        lifetime: 0,
        retroactive: false,
        priority: null,
        state: null,
      }),
    ),
    root.get('what is false was ignored', `${A}/one`),
    root.put('make inactive', `${A}/one`, change({ state: 'I' })),
    root.get('inactive', `${A}/one`),
    root.put('make active', `${A}/one`, change({ state: 'A' })),
    root.get('active', `${A}/one`),
    bob.put('change as admin', `${A}/two`, change({ dry_run: 'x', unknown: 1 })),
    alice.put('change as the owner', `${A}/two`, change()),
    root.put('unknown', `${A}/nope`, change()),
    root.put('unknown, with a bad state', `${A}/nope`, change({ state: 'X' })),
    root.put('bad state', `${A}/two`, change({ state: 'X' })),
    root.put('the name of a state', `${A}/two`, change({ state: 'INACTIVE' })),
    root.put('no state', `${A}/two`, change({ state: '' })),
    root.put('bad filter', `${A}/two`, change({ filter: 'x' })),
    root.put('bad key of a filter', `${A}/two`, change({ filter: { scope: 'x' } })),
    root.put('bad rules', `${A}/two`, change({ replication_rules: 'x' })),
    root.put('bad rule', `${A}/two`, change({ replication_rules: [5] }), BAD_CHANGE),
    root.put('bad activity', `${A}/two`, change({ replication_rules: [{ activity: 'x' }] })),
    root.put('no activity', `${A}/three`, change({ replication_rules: [{ copies: 1 }] }), NO_ACTIVITY_CHANGE),
    root.put('bad lifetime', `${A}/two`, change({ lifetime: 'x' }), BAD_CHANGE),
    root.put('lifetime that is a list', `${A}/two`, change({ lifetime: [1] }), { compare: 'class' }),
    root.put('bad priority', `${A}/two`, change({ priority: 'x' }), BAD_CHANGE),
    root.put('bad retroactive', `${A}/two`, change({ retroactive: 'x' }), use(400, 'TypeError', 'access 3.4')),
    root.put('change without options', `${A}/two`, {}),
    root.put('change with options of null', `${A}/two`, { options: null }, BAD_CHANGE),
    root.put('change with a list', `${A}/two`, [1]),
    root.put('change without body', `${A}/two`),
    root.get('nothing bad was kept', `${A}/two`),

    root.get('rules: none', `${A}/one/rules`),
    root.get('rules in a state: none', `${A}/one/rules?state=O`),
    root.get('rules of no state', `${A}/one/rules?state=`),
    root.get('rules in a bad state', `${A}/one/rules?state=X`, use(400, 'ValueError', 'access 3.2')),
    root.get('rules of an unknown one', `${A}/nope/rules`),
    root.get('rules by state: none', `${A}/one/rules/states`),
    root.get('rules by state, with details', `${A}/one/rules/states?include_details=true`),
    root.get('rules by state, with bad details', `${A}/one/rules/states?include_details=x`),
    root.get('rules by state of an unknown one', `${A}/nope/rules/states`),
    root.get('rules by state of an account', '/subscriptions/sub-bob/rules/states'),
    root.get('rules by state of an unknown account', '/subscriptions/sub-nobody/rules/states'),
    root.get('rules by state with wildcard', '/subscriptions/sub-b*/rules/states?include_details=1'),

    root.delete('there is no deletion', `${A}/one`, undefined, { compare: 'status' }),
    root.post('nothing is posted to an account', A, {}, { compare: 'status' }),
    root.get('list with json Accept', '/subscriptions/', { headers: { Accept: 'application/json' } }),
    root.get('id with stream Accept', '/subscriptions/id/{{one}}', {
      headers: { Accept: 'application/x-json-stream' },
    }),
    root.get('states with json Accept', `${A}/one/rules/states`, { headers: { Accept: 'application/json' } }),
    as('none').get('without token', A, use(401, 'CannotAuthenticate', 'access 8 #4')),
  ],
};
