import { type StepOptions, account, as, use } from '../steps.ts';
import type { Scenario } from '../types.ts';

const root = as('root');
const none = as('none');
const REFUSED_TOKEN = use(401, 'CannotAuthenticate', 'access 1.4');

function login(accountName: string | null, username: string, password: string): StepOptions {
  return {
    headers: {
      ...(accountName === null ? {} : { 'X-Rucio-Account': accountName }),
      'X-Rucio-Username': username,
      'X-Rucio-Password': password,
    },
  };
}

/** How a token is obtained, checked and refused. */
export const auth: Scenario = {
  name: 'auth',
  about: 'userpass log-in, token validation, refused tokens, other proofs without their means',
  steps: [
    ...account('auth-alice'),
    ...account('auth-bob'),
    root.post(
      'map identity of alice to bob',
      '/accounts/auth-bob/identities',
      { identity: 'auth-alice', authtype: 'USERPASS', email: 'a@example.org', password: 'ignored' },
      { ...use(409, 'Duplicate', 'access 2.3: another password is not ignored'), compare: 'class' },
    ),
    root.post('create account for suspension', '/accounts/auth-sleepy', {
      type: 'USER',
      email: null,
    }),
    root.post('give it an identity', '/accounts/auth-sleepy/identities', {
      identity: 'auth-sleepy',
      authtype: 'USERPASS',
      email: 's@example.org',
      password: 'zzz',
    }),

    none.get('log in root', '/auth/userpass', login('root', 'ddmlab', 'secret')),
    none.get('log in alice', '/auth/userpass', login('auth-alice', 'auth-alice', 'pw-auth-alice')),
    none.get('log in bob without account', '/auth/userpass', login(null, 'auth-bob', 'pw-auth-bob')),
    none.get('log in bob with identity of alice', '/auth/userpass', {
      ...login('auth-bob', 'auth-alice', 'pw-auth-alice'),
      ...use(401, 'CannotAuthenticate', 'access 2.3: it was not mapped'),
      compare: 'class',
    }),
    none.get(
      'second password of a known identity is ignored',
      '/auth/userpass',
      login('auth-bob', 'auth-alice', 'ignored'),
    ),
    none.get('log in with two accounts and none named', '/auth/userpass', {
      ...login(null, 'auth-alice', 'pw-auth-alice'),
      ...use(200, null, 'access 2.3: it has one account'),
      compare: 'status',
    }),
    none.get('log in with two accounts and wrong password', '/auth/userpass', {
      ...login(null, 'auth-alice', 'wrong'),
      ...use(401, 'CannotAuthenticate', 'access 1.4: password first'),
      compare: 'class',
    }),
    none.get('log in with application identifier', '/auth/userpass', {
      headers: { ...login('root', 'ddmlab', 'secret').headers, 'X-Rucio-AppID': 'conformance' },
    }),
    none.get('wrong password', '/auth/userpass', login('root', 'ddmlab', 'wrong')),
    none.get('unknown user', '/auth/userpass', login('root', 'auth-nobody', 'secret')),
    none.get('identity not mapped to account', '/auth/userpass', login('root', 'auth-alice', 'pw-auth-alice')),
    none.get('unknown account', '/auth/userpass', login('auth-nobody', 'ddmlab', 'secret')),
    none.get('unknown user without account', '/auth/userpass', login(null, 'auth-nobody', 'secret')),
    none.get('wrong password without account', '/auth/userpass', login(null, 'auth-bob', 'wrong')),
    none.get('no headers', '/auth/userpass'),
    none.get('no password', '/auth/userpass', {
      headers: { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab' },
    }),
    none.get('no username', '/auth/userpass', {
      headers: { 'X-Rucio-Account': 'root', 'X-Rucio-Password': 'secret' },
    }),
    none.get('malformed VO', '/auth/userpass', {
      headers: { ...login('root', 'ddmlab', 'secret').headers, 'X-Rucio-VO': 'a b' },
    }),
    none.get('unknown VO', '/auth/userpass', {
      headers: { ...login('root', 'ddmlab', 'secret').headers, 'X-Rucio-VO': 'xyz' },
    }),
    none.get('default VO', '/auth/userpass', {
      headers: { ...login('root', 'ddmlab', 'secret').headers, 'X-Rucio-VO': 'def' },
    }),
    none.get('Accept that does not cover the answer', '/auth/userpass', {
      headers: { ...login('root', 'ddmlab', 'secret').headers, Accept: 'application/json' },
    }),
    none.post('log in by POST', '/auth/userpass'),
    none.get(
      'userpass with final slash',
      '/auth/userpass/',
      use(401, 'CannotAuthenticate', 'access 0.6: both slash forms are served'),
    ),

    root.get('validate token of root', '/auth/validate'),
    as('auth-alice').get('validate token of alice', '/auth/validate'),
    none.get('validate without token', '/auth/validate'),
    as('bad').get('validate bad token', '/auth/validate', REFUSED_TOKEN),

    root.put('suspend the account', '/accounts/auth-sleepy', { status: 'SUSPENDED' }),
    none.get('log in to suspended account', '/auth/userpass', {
      ...login('auth-sleepy', 'auth-sleepy', 'zzz'),
      compare: 'class',
    }),
    root.put('activate the account', '/accounts/auth-sleepy', { status: 'ACTIVE' }),
    none.get('log in to account active again', '/auth/userpass', login('auth-sleepy', 'auth-sleepy', 'zzz')),
    root.delete('remove the identity', '/accounts/auth-sleepy/identities', {
      identity: 'auth-sleepy',
      authtype: 'USERPASS',
    }),
    none.get('log in with removed identity', '/auth/userpass', login('auth-sleepy', 'auth-sleepy', 'zzz')),

    none.get('x509 without certificate', '/auth/x509', { headers: { 'X-Rucio-Account': 'root' } }),
    none.get('x509 proxy without certificate', '/auth/x509_proxy', {
      headers: { 'X-Rucio-Account': 'root' },
    }),
    none.get('gss without principal', '/auth/gss', { headers: { 'X-Rucio-Account': 'root' } }),
    none.get('ssh challenge without account', '/auth/ssh_challenge_token'),
    none.get('ssh challenge for unknown account', '/auth/ssh_challenge_token', {
      headers: { 'X-Rucio-Account': 'auth-nobody' },
    }),
    none.get('ssh without signature', '/auth/ssh', { headers: { 'X-Rucio-Account': 'root' } }),
    none.get('saml is gone', '/auth/saml'),
    none.get('unknown route below auth', '/auth/magic'),

    none.get('ping without token', '/ping', { compare: 'keys' }),
    none.get('no token on a protected route', '/scopes/', use(401, 'CannotAuthenticate', 'access 8 #4')),
    as('empty').get('empty token on a protected route', '/scopes/', use(401, 'CannotAuthenticate', 'access 8 #4')),
    as('bad').get('bad token on a protected route', '/scopes/'),
    as('bad').post('bad token on a write', '/dids/auth/x', { type: 'DATASET' }),
    none.get('token that looks like a JWT', '/scopes/', {
      headers: { 'X-Rucio-Auth-Token': 'aaa.bbb.ccc' },
    }),
    none.get('bearer token is not understood', '/scopes/', {
      headers: { Authorization: 'Bearer aaa' },
      ...use(401, 'CannotAuthenticate', 'access 8 #2, 8 #4'),
    }),
    root.get('account header is ignored', '/accounts/whoami', {
      headers: { 'X-Rucio-Account': 'auth-alice' },
    }),
    as('bad').get('bad token beats bad Accept', '/accounts/root', {
      headers: { Accept: 'text/plain' },
    }),
    as('bad').get('unknown route beats bad token', '/nothing/here'),
  ],
};
