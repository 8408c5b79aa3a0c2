import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type * as Accounts from '../../../functions/accounts.ts';
import type * as Auth from '../../../functions/auth.ts';
import type * as Identities from '../../../functions/identities.ts';
import { bootstrapRoot } from '../../../lib/domain/accounts/bootstrap.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import type { LambdaHandler } from '../../../lib/http/handler.ts';
import { addAccount } from '../../../lib/operations/accounts/add-account.ts';
import { addAccountIdentity } from '../../../lib/operations/accounts/add-identity.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { makeCertificate, type Subject } from '../../support/certificate.ts';
import { type EventOptions, gatewayEvent, lambdaContext } from '../../support/event.ts';
import { newProcess } from '../../support/new-process.ts';
import { ownEngine } from '../../support/run.ts';
import { uniqueName } from '../../support/server.ts';
import { newTestStore } from '../../support/store.ts';
import { newToken } from '../../support/tokens.ts';
import { type LocalIssuer, startIssuer } from './local-issuer.ts';

// Only API Gateway adds the client's certificate to a request; the local server does not. So these tests call the functions
// with events.

let store: Store;
let issuer: LocalIssuer;
let handlers: { readonly auth: LambdaHandler; readonly accounts: LambdaHandler; readonly identities: LambdaHandler };
let rootToken: string;
beforeAll(async () => {
  [store, issuer] = await Promise.all([newTestStore(), startIssuer()]);
  await bootstrapRoot(store, { username: 'ddmlab', password: 'secret' });
  vi.stubEnv('RESPONSE_MODE', 'buffer');
  vi.stubEnv('OIDC_ISSUERS', issuer.url);
  const load = newProcess((await ownEngine()).client);
  const [auth, accounts, identities] = await Promise.all([
    load<typeof Auth>('functions/auth.ts'),
    load<typeof Accounts>('functions/accounts.ts'),
    load<typeof Identities>('functions/identities.ts'),
  ]);
  handlers = { auth: auth.handler, accounts: accounts.handler, identities: identities.handler };
  rootToken = await newToken(store, { account: 'root', identity: 'ddmlab' });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await issuer.close();
});

interface Answer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function send(
  group: keyof typeof handlers,
  method: string,
  path: string,
  { dn, pem = '', ...options }: EventOptions & { readonly dn?: string; readonly pem?: string } = {},
): Promise<Answer> {
  const event = gatewayEvent(method, path, options);
  const clientCert = dn === undefined ? null : certificate(dn, pem);
  const identity = { ...event.requestContext.identity, clientCert };
  const requestContext = { ...event.requestContext, identity } as APIGatewayProxyEvent['requestContext'];
  return (await handlers[group]({ ...event, requestContext }, lambdaContext())) as Answer;
}

const certificate = (subjectDN: string, clientCertPem: string) => ({
  clientCertPem,
  issuerDN: 'CN=CA',
  serialNumber: '01',
  subjectDN,
  validity: { notAfter: 'Nov 21 12:00:00 2027 GMT', notBefore: 'Nov 21 12:00:00 2026 GMT' },
});

const asRoot = (): Context => ({ store, now: Date.now(), issuer: { account: 'root', identity: 'ddmlab' } });

/** A new account with a mapped identity. */
async function newAccount(authtype: 'X509' | 'OIDC', identity: string, isDefault = false): Promise<string> {
  const account = uniqueName();
  await addAccount(asRoot(), { account, type: 'USER', email: null });
  await addAccountIdentity(asRoot(), { account, identity, authtype, email: 'x@example.org', default: isDefault });
  return account;
}

const logIn = (dn: string, headers: Record<string, string> = {}, path = '/auth/x509') =>
  send('auth', 'GET', path, { dn, headers });

function expectError(answer: Answer, status: number, name: string, message: string): void {
  expect(answer).toMatchObject({ statusCode: status, headers: { ExceptionClass: name } });
  expect(JSON.parse(answer.body)).toMatchObject({ ExceptionClass: name, ExceptionMessage: message });
}

const refused = (account: string) => `Cannot authenticate to account ${account} with given credentials`;

describe('log-in with the certificate of mutual TLS (access 1.3, 1.4)', () => {
  it('answers a token for the named account, or the only one', async () => {
    const dn = `CN=${uniqueName()},O=Example,C=NO`;
    const account = await newAccount('X509', dn);
    for (const path of ['/auth/x509', '/auth/x509_proxy', '/auth/x509/webui']) {
      for (const headers of [{ 'X-Rucio-Account': account }, {}, { 'X-Rucio-Account': '' }] as Record<
        string,
        string
      >[]) {
        const answer = await logIn(dn, headers, path);
        expect(answer).toMatchObject({ statusCode: 200, body: '', headers: { 'X-Rucio-Auth-Account': account } });
        expect(answer.headers['X-Rucio-Auth-Token-Expires']).toMatch(/ UTC$/);
        const token = answer.headers['X-Rucio-Auth-Token'] ?? '';
        const who = await send('accounts', 'GET', '/accounts/whoami', { headers: { 'X-Rucio-Auth-Token': token } });
        expect(who.headers['Location']).toBe(account);
      }
    }
  });

  it.each([
    ['CN=proxy,', ''],
    ['CN=limited proxy,', ''],
    ['CN=123456,CN=proxy,CN=limited proxy,', ''],
    ['', '/CN=proxy'],
    ['', '/CN=limited proxy/CN=42'],
  ])('components of proxies are removed: %j before, %j after', async (before, after) => {
    const name = uniqueName();
    const dn = after === '' ? `CN=${name},O=Example` : `/O=Example/CN=${name}`;
    const account = await newAccount('X509', dn);
    expect((await logIn(before + dn + after)).headers['X-Rucio-Auth-Account']).toBe(account);
  });

  it.each(['CN=proxy %,O=x', 'O=x,CN=proxy,CN=%', 'CN=12a,CN=%', '/CN=proxy/CN=%', '/CN=%/CN=proxyx'])(
    'what only looks like it stays: %s',
    async (pattern) => {
      const dn = pattern.replace('%', uniqueName());
      const account = await newAccount('X509', dn);
      expect((await logIn(dn)).headers['X-Rucio-Auth-Account']).toBe(account);
    },
  );

  it.each([
    ['slashes', (name: string) => `/DC=ch/O=Example, Inc. + Söhne/CN=${name}`],
    ['commas', (name: string) => `CN=${name},O=Example, Inc. + Söhne,DC=ch`],
  ])('the certificate itself names the user, who is known by a subject with %s', async (_form, written) => {
    const name = `${uniqueName()} "Jo" Doe; #1`;
    const account = await newAccount('X509', written(name));
    const user: Subject = [
      ['DC', 'ch'],
      ['O', 'Example, Inc. + Söhne'],
      ['CN', name],
    ];
    for (const proxies of [[], ['proxy'], ['limited proxy', '4711']]) {
      const subject = [...user, ...proxies.map((proxy) => ['CN', proxy] as const)];
      // What the gateway says of the subject cannot be read without doubt.
      const dn = subject.map(([attribute, value]) => `${attribute}=${value}`).join(',');
      const answer = await send('auth', 'GET', '/auth/x509', { dn, pem: makeCertificate([], 1, subject).cert });
      expect(answer.headers['X-Rucio-Auth-Account'], `proxies: ${proxies.join()}`).toBe(account);
    }
  });

  it.each(['Jane/CN=root', 'Jane,CN=root', 'Jane, O=x'])(
    'a value of a certificate names nobody else: %s',
    async (value) => {
      const subject: Subject = [['CN', value]];
      const answer = await send('auth', 'GET', '/auth/x509', { dn: 'CN=x', pem: makeCertificate([], 1, subject).cert });
      expectError(answer, 401, 'CannotAuthenticate', 'Cannot get DN');
    },
  );

  it('selects the default of several accounts; without one the caller must name an account or be able to choose', async () => {
    const dn = `CN=${uniqueName()}`;
    const accounts = [await newAccount('X509', dn), await newAccount('X509', dn)].sort();
    const message = 'Multiple accounts associated with the provided identity';
    expectError(await logIn(dn), 401, 'CannotAuthenticate', message);
    const allow = (value: string) => logIn(dn, { 'X-Rucio-Allow-Return-Multiple-Accounts': value });
    expectError(await allow('1'), 401, 'CannotAuthenticate', message);
    expect(await allow('True')).toMatchObject({
      statusCode: 206,
      headers: { 'X-Rucio-Auth-Accounts': accounts.join(',') },
      body: `["${accounts.join('", "')}"]`,
    });
    const chosen = await newAccount('X509', dn, true);
    expect((await logIn(dn)).headers['X-Rucio-Auth-Account']).toBe(chosen);
  });

  it('an unknown subject, one of another account and a suspended account are refused', async () => {
    const dn = `CN=${uniqueName()}`;
    const account = await newAccount('X509', dn);
    for (const other of ['root', 'No#Account', uniqueName()]) {
      expectError(await logIn(dn, { 'X-Rucio-Account': other }), 401, 'CannotAuthenticate', refused(other));
    }
    for (const stranger of ['CN=nobody', 'x'.repeat(2000), 'CN=a#b']) {
      expectError(
        await logIn(stranger),
        ...([401, 'IdentityError'] as const),
        `Identity error.\nDetails: Identity '${stranger}' of type 'IdentityType.X509' does not exist!`,
      );
      const named = await logIn(stranger, { 'X-Rucio-Account': account });
      expectError(named, 401, 'CannotAuthenticate', refused(account));
    }
    expectError(
      await logIn(dn, { 'X-Rucio-Account': account, 'X-Rucio-VO': 'xyz' }),
      ...([401, 'CannotAuthenticate'] as const),
      refused(account),
    );
    const { changeAccount } = await import('../../../lib/store/entities/account.ts');
    await store.write(async () => [changeAccount(account, { status: 'SUSPENDED' }, () => new Error('no account'))]);
    expectError(await logIn(dn), 401, 'CannotAuthenticate', `${refused(account)}: the account is suspended`);
  });

  it('an identity that was removed from its last account is unknown', async () => {
    const dn = `CN=${uniqueName()}`;
    const account = await newAccount('X509', dn);
    const { deleteAccountIdentity } = await import('../../../lib/operations/accounts/delete-identity.ts');
    await deleteAccountIdentity(asRoot(), { account, identity: dn, authtype: 'X509' });
    const message = `Identity error.\nDetails: Identity '${dn}' of type 'IdentityType.X509' does not exist!`;
    expectError(await logIn(dn), 401, 'IdentityError', message);
  });
});

describe("the client's own certificate as an identity (access 2.5)", () => {
  const add = (account: string, dn: string, token = rootToken, email = 'x@example.org') =>
    send('identities', 'PUT', `/identities/${account}/x509`, {
      dn,
      headers: { 'X-Rucio-Auth-Token': token, 'X-Rucio-Email': email },
    });

  it('is added without components of proxies, once', async () => {
    const account = await newAccount('X509', `CN=${uniqueName()}`);
    const dn = `CN=${uniqueName()},O=Example`;
    expect(await add(account, `CN=17,${dn}`)).toMatchObject({ statusCode: 201, body: 'Created' });
    expect((await logIn(dn)).headers['X-Rucio-Auth-Account']).toBe(account);
    expectError(await add(account, dn), 409, 'Duplicate', `Identity pair '${dn}','IdentityType.X509' already exists!`);
  });

  it('needs an e-mail address, an account and the permission', async () => {
    const dn = `CN=${uniqueName()}`;
    const account = await newAccount('X509', dn);
    const other = `CN=${uniqueName()}`;
    const message = 'SSL_CLIENT_S_DN and email must be set.';
    expectError(await add(account, other, rootToken, ''), 400, 'ValueError', message);
    expectError(await add('nobody', other), 404, 'AccountNotFound', "Account 'nobody' does not exist.");
    const token = (await logIn(dn)).headers['X-Rucio-Auth-Token'] ?? '';
    const denial = `Account ${account} can not add account identity. `;
    expectError(await add(account, other, token), 401, 'AccessDenied', denial);
    expect((await logIn(other)).statusCode).toBe(401);
  });
});

describe('tokens in the header Authorization (access 8 #2)', () => {
  const whoAmI = async (headers: Record<string, string>) => {
    const answer = await send('accounts', 'GET', '/accounts/whoami', { headers });
    return answer.headers['Location'] ?? answer.headers['ExceptionMessage'];
  };

  it('a token of ours or of an OpenID issuer is accepted in either header', async () => {
    const sub = uniqueName();
    const account = await newAccount('OIDC', `SUB=${sub}, ISS=${issuer.url}`);
    const token = await issuer.issue({ sub });
    expect(await whoAmI({ Authorization: `Bearer ${token}` })).toBe(account);
    expect(await whoAmI({ authorization: `bearer  ${token} ` })).toBe(account);
    expect(await whoAmI({ 'X-Rucio-Auth-Token': token })).toBe(account);
    expect(await whoAmI({ Authorization: `Bearer ${rootToken}`, 'X-Rucio-Auth-Token': '' })).toBe('root');
  });

  it("Rucio's own header takes precedence, and other schemes are no token", async () => {
    const refusal = 'Cannot authenticate with given credentials';
    expect(await whoAmI({ Authorization: `Bearer ${rootToken}`, 'X-Rucio-Auth-Token': 'bad' })).toBe(refusal);
    expect(await whoAmI({ Authorization: 'Bearer bad' })).toBe(refusal);
    for (const text of [`Basic ${rootToken}`, 'Bearer', '', rootToken]) {
      expect(await whoAmI({ Authorization: text })).toBe('Token must be set.');
    }
  });
});
