import { account, as, collection, scope, use } from '../steps.ts';
import type { Scenario } from '../types.ts';

const root = as('root');
const alice = as('lif-alice');
const L = '/lifetime_exceptions/';

const BAD = use(400, 'InvalidObject', 'access 6.5');
const NO_DATE = use(409, 'UnsupportedOperation', 'access 6.5');
const UNKNOWN = use(404, 'LifetimeExceptionNotFound', 'access 6.5');
const did = (name: string) => ({ scope: 'lif', name });

/** Exceptions to the lifetime model, and heartbeats. */
export const lifetimeExceptions: Scenario = {
  name: 'lifetime-exceptions',
  about: 'exceptions to the lifetime model; heartbeats',
  steps: [
    ...account('lif-alice'),
    scope('lif'),
    ...['a', 'b', 'c', 'late'].map((name) => collection('DATASET', 'lif', name)),
    collection('CONTAINER', 'lif', 'cont'),
    ...['a', 'b', 'cont'].map((name) =>
      root.post(`let ${name} end`, `/dids/lif/${name}/meta/eol_at`, { value: '2050-01-15' }),
    ),
    root.post('let late end', '/dids/lif/late/meta/eol_at', { value: '2095-01-15' }),
    root.post('give b a datatype', '/dids/lif/b/meta/datatype', { value: 'RAW' }),
    root.post('give cont a datatype', '/dids/lif/cont/meta/datatype', { value: 'RAW' }),

    root.get('none', L),
    root.get('an unknown one', `${L}00000000000000000000000000000000`),
    root.get('no id', `${L}nope`, use(200, null, 'access 6.5')),
    alice.post('ask without a cutoff date', L, { dids: [did('a')], comments: 'c' }, NO_DATE),
    root.post('set a cutoff date in the past', '/config', { lifetime_model: { cutoff_date: '2001-01-01' } }),
    alice.post('ask after the cutoff date', L, { dids: [did('a')], comments: 'c' }, NO_DATE),
    root.post('set what is no date', '/config', { lifetime_model: { cutoff_date: 'soon' } }),
    alice.post('ask with a cutoff date that is none', L, { dids: [did('a')], comments: 'c' }, NO_DATE),
    root.post('set a cutoff date', '/config', { lifetime_model: { cutoff_date: '2090-01-01' } }),
    alice.post('ask for nothing', L, {}),
    alice.post('ask for what is unknown', L, { dids: [did('none')], comments: 'c' }),
    alice.post('ask for what does not end', L, { dids: [did('c'), did('late')], comments: 'c' }),
    alice.post('ask for one', L, {
      dids: [did('a')],
      comments: 'why||||7 TB',
      pattern: 'p*',
      expires_at: 'Sat, 21 Nov 2099 13:24:04 UTC',
      account: 'root',
    }),
    root.get('one is listed', L),
    root.post('ask for several', L, { dids: [did('b'), did('cont'), did('c'), did('none')], comments: 'why' }),
    root.get('all are listed', L),
    root.get('an exception is not named in the query', `${L}?exception_id=nope`),
    root.post('set the longest extension', '/config', { lifetime_model: { max_extension: 10 } }),
    root.post('ask for one, which ends', L, { dids: [did('a')], comments: 'why' }),
    root.get('all are listed, one with its end', L),
    root.delete('set no longest extension', '/config/lifetime_model/max_extension'),

    alice.post('a DID without name', L, { dids: [{ scope: 'lif' }], comments: 'c' }, BAD),
    alice.post('a DID that is none', L, { dids: [5], comments: 'c' }, BAD),
    alice.post('DIDs that are a text', L, { dids: 'x', comments: 'c' }, BAD),
    alice.post('an end that is none', L, { dids: [did('a')], comments: 'c', expires_at: 'x' }, BAD),
    alice.post('no comments', L, { dids: [did('a')] }, use(201, null, 'access 6.5')),
    alice.post('a list', L, [1]),
    alice.post('no body', L),

    alice.put('decide as alice', `${L}00000000000000000000000000000000`, { state: 'A' }),
    root.put('decide about an unknown one', `${L}00000000000000000000000000000000`, { state: 'A' }, UNKNOWN),
    root.put('decide for nothing', `${L}00000000000000000000000000000000`, { state: 'x' }, { compare: 'class' }),
    root.put('decide with a list', `${L}00000000000000000000000000000000`, [1]),
    root.get('list with json Accept', L, { headers: { Accept: 'application/json' } }),
    as('none').get('without token', L, use(401, 'CannotAuthenticate', 'access 8 #4')),
    root.delete('forget the model', '/config/lifetime_model'),

    root.get('heartbeats', '/heartbeats'),
    alice.get('heartbeats as alice', '/heartbeats', use(401, 'AccessDenied', 'access 5.3')),
    root.get('heartbeats with stream Accept', '/heartbeats', { headers: { Accept: 'application/x-json-stream' } }),
  ],
};
