import { beforeAll, describe, it } from 'vitest';

import { asRoot, call, type Client, expectCreated, expectError, newAccount, nobody } from '../support/server.ts';

const root = asRoot();

/** Headers in which proxies pass the client's certificate to Rucio; a client can forge them. */
const forged = (dn: string) => ({
  SSL_CLIENT_S_DN: dn,
  'SSL-Client-S-DN': dn,
  'X-SSL-Client-S-DN': dn,
  'X-Client-Cert-DN': dn,
  'X-Forwarded-Client-Cert': `Subject="${dn}"`,
  REMOTE_USER: dn,
  'Remote-User': dn,
});

let alice: Client;
const dn = () => `CN=${alice.account},O=Example`;
beforeAll(async () => {
  alice = await newAccount();
  for (const authtype of ['X509', 'GSS']) {
    const identity = { identity: dn(), authtype, email: 'x@example.org' };
    expectCreated(await root.post(`/accounts/${alice.account}/identities`, identity));
  }
});

describe('auth: certificates without mutual TLS (access 1.4)', () => {
  it.each(['/auth/x509', '/auth/x509_proxy', '/auth/x509/webui'])(
    '%s ignores certificates in headers',
    async (path) => {
      for (const headers of [{}, forged(dn()), { ...forged(dn()), 'X-Rucio-Account': alice.account }]) {
        expectError(await call('GET', path, { headers }), 401, 'CannotAuthenticate', 'Cannot get DN');
      }
      const answer = await call('GET', path, { headers: { 'X-Rucio-VO': 'a b' } });
      expectError(answer, 400, 'RucioException', 'Invalid characters in VO name.');
    },
  );

  it('an identity of a certificate is not made from a header (access 2.5)', async () => {
    const headers = { ...forged(dn()), 'X-Rucio-Email': 'x@example.org' };
    const answer = await root.put(`/identities/${alice.account}/x509`, undefined, { headers });
    expectError(answer, 400, 'ValueError', 'SSL_CLIENT_S_DN and email must be set.');
  });
});

describe('auth: Kerberos (access 1.4, 2.5)', () => {
  it('every principal is unknown, whatever the headers', async () => {
    for (const headers of [{}, { ...forged(dn()), 'X-Rucio-Account': alice.account }]) {
      const answer = await call('GET', '/auth/gss', { headers });
      expectError(answer, 400, 'ValueError', 'Account and REMOTE_USER must be set.');
    }
    const headers = { ...forged(dn()), 'X-Rucio-Email': 'x@example.org' };
    const answer = await root.put(`/identities/${alice.account}/gss`, undefined, { headers });
    expectError(answer, 400, 'ValueError', 'REMOTE_USER and email must be set.');
  });
});

describe('auth: SAML', () => {
  it('is not served', async () => {
    expectError(await nobody.get('/auth/saml'), 404, 'NotFound');
  });
});
