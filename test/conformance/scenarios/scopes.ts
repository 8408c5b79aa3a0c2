import { account, as, use } from '../steps.ts';
import type { Scenario } from '../types.ts';

const root = as('root');
const alice = as('sco-alice');
const bob = as('sco-bob');

/** Scopes: both creation routes, every listing, change of owner. */
export const scopes: Scenario = {
  name: 'scopes',
  about: 'scopes: creation, listings, owners, change of owner, errors',
  steps: [
    ...account('sco-alice'),
    ...account('sco-bob'),
    root.post('create below accounts', '/accounts/sco-alice/scopes/sco-one'),
    root.post(
      'create below scopes',
      '/scopes/sco-alice/sco-two',
      undefined,
      use(201, null, 'dids 6 #22: with a Location'),
    ),
    root.post('create with ignored body', '/accounts/sco-alice/scopes/sco.three_x', {
      anything: 1,
    }),
    root.post('create with 25 characters', '/accounts/sco-alice/scopes/sco-efghijklmnopqrstuvwxy'),
    root.post('create with capital letters', '/accounts/sco-alice/scopes/SCO-Caps'),
    root.post('create twice below accounts', '/accounts/sco-alice/scopes/sco-one'),
    root.post('create twice below scopes', '/scopes/sco-alice/sco-one'),
    root.post('create existing for another account', '/accounts/sco-bob/scopes/sco-one'),
    root.post('26 characters below accounts', '/accounts/sco-alice/scopes/sco-efghijklmnopqrstuvwxyz'),
    root.post(
      '26 characters below scopes',
      '/scopes/sco-alice/sco-efghijklmnopqrstuvwxyz',
      undefined,
      use(400, 'InvalidObject', 'dids 2.28'),
    ),
    root.post('bad character below accounts', '/accounts/sco-alice/scopes/sco%24x'),
    root.post(
      'bad character below scopes',
      '/scopes/sco-alice/sco%24x',
      undefined,
      use(400, 'InvalidObject', 'dids 2.28'),
    ),
    root.post('blank in scope', '/accounts/sco-alice/scopes/sco%20x'),
    root.post('colon in scope', '/accounts/sco-alice/scopes/sco%3Ax'),
    root.post('plus in scope', '/accounts/sco-alice/scopes/sco+x'),
    root.post('non-ASCII scope', '/accounts/sco-alice/scopes/sco%C3%A9'),
    root.post('unknown account below accounts', '/accounts/sco-nobody/scopes/sco-x'),
    root.post('unknown account below scopes', '/scopes/sco-nobody/sco-x'),
    alice.post('not permitted below accounts', '/accounts/sco-alice/scopes/sco-mine'),
    alice.post(
      'not permitted below scopes',
      '/scopes/sco-alice/sco-mine',
      undefined,
      use(401, 'AccessDenied', 'dids 6 #23'),
    ),
    alice.post('not permitted and unknown account', '/accounts/sco-nobody/scopes/sco-mine'),
    alice.post('not permitted and bad name', '/accounts/sco-alice/scopes/sco%24x'),
    as('none').post(
      'no token',
      '/accounts/sco-alice/scopes/sco-x',
      undefined,
      use(401, 'CannotAuthenticate', 'dids 6 #1'),
    ),
    as('bad').post('bad token', '/accounts/sco-alice/scopes/sco-x'),

    root.get('list for alice below accounts', '/accounts/sco-alice/scopes/'),
    root.get('list for alice below scopes', '/scopes/sco-alice/scopes'),
    root.get('list for alice without final slash', '/accounts/sco-alice/scopes', use(200, null, 'dids 1.6')),
    root.get('list for alice with final slash below scopes', '/scopes/sco-alice/scopes/', use(200, null, 'dids 1.6')),
    bob.get('list for another account', '/accounts/sco-alice/scopes/'),
    root.get('list for account without scopes below accounts', '/accounts/sco-bob/scopes/'),
    root.get('list for account without scopes below scopes', '/scopes/sco-bob/scopes'),
    root.get('list for unknown account below accounts', '/accounts/sco-nobody/scopes/'),
    root.get('list for unknown account below scopes', '/scopes/sco-nobody/scopes'),
    root.get('list for alice with stream Accept', '/accounts/sco-alice/scopes/', {
      headers: { Accept: 'application/x-json-stream' },
    }),
    root.get('list all', '/scopes/', { compare: 'status' }),
    root.get('list all without final slash', '/scopes', use(200, null, 'dids 1.6')),
    root.get('list all with stream Accept', '/scopes/', {
      headers: { Accept: 'application/x-json-stream' },
    }),
    root.get('list all with any Accept', '/scopes/', {
      headers: { Accept: 'text/html, */*;q=0.1' },
      compare: 'status',
    }),
    root.get('list owners', '/scopes/owner/', { compare: 'status' }),
    root.get('list owners without final slash', '/scopes/owner', use(200, null, 'dids 1.6')),

    root.put('change owner', '/scopes/sco-bob/sco-two'),
    root.get('list for new owner', '/accounts/sco-bob/scopes/'),
    root.put('change owner to the same', '/scopes/sco-bob/sco-two'),
    bob.put(
      'owner gives scope away',
      '/scopes/sco-alice/sco-two',
      undefined,
      use(201, null, 'dids 6 #22: with a Location'),
    ),
    bob.put(
      'former owner may not take it back',
      '/scopes/sco-bob/sco-two',
      undefined,
      use(401, 'AccessDenied', 'dids 2.28'),
    ),
    root.put('change owner of unknown scope', '/scopes/sco-bob/sco-none'),
    root.put('change owner to unknown account', '/scopes/sco-nobody/sco-two'),
    bob.put(
      'not permitted on unknown scope',
      '/scopes/sco-bob/sco-none',
      undefined,
      use(401, 'AccessDenied', 'dids 5'),
    ),
    as('bad').put('change owner with bad token', '/scopes/sco-bob/sco-two'),
    root.get('list for alice at the end', '/accounts/sco-alice/scopes/'),
    root.delete('a scope cannot be deleted', '/scopes/sco-alice/sco-one'),
    root.delete('the list cannot be deleted', '/scopes/'),
    root.get('one scope cannot be read', '/scopes/sco-alice/sco-one', { compare: 'status' }),
  ],
};
