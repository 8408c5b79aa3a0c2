/** The line that logs in with a certificate, at a gateway that requires one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { makeCertificate } from '../support/certificate.ts';
import { runSmoke } from './run-smoke.ts';

const folder = mkdtempSync(join(tmpdir(), 'dapple-certificate-'));
const [authority, cert, key] = ['authority.pem', 'cert.pem', 'key.pem'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
let gateway: Server;
/** What the gateway tells functions of the certificate: its common name. */
let presented: string[];
let answer: { readonly status: number; readonly headers: Readonly<Record<string, string>> };

beforeAll(async () => {
  const own = makeCertificate();
  const user = makeCertificate([], 1, [
    ['DC', 'ch'],
    ['CN', 'Jane'],
  ]);
  writeFileSync(authority, own.cert);
  writeFileSync(cert, user.cert);
  writeFileSync(key, user.key);
  gateway = createServer({ ...own, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    if (request.url === '/ping') return void response.end('{"version": "41.0.0"}');
    if (request.url !== '/auth/x509') return void response.writeHead(401).end();
    presented.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN));
    return void response.writeHead(answer.status, answer.headers).end();
  });
  await new Promise<void>((resolve) => {
    gateway.listen(0, '127.0.0.1', resolve);
  });
});
beforeEach(() => {
  presented = [];
});
afterAll(() => {
  gateway.close();
  rmSync(folder, { recursive: true });
});

async function runLine() {
  const url = `https://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const login = ['--url', url, '--password', 'x', '--auth-url', url, '--cert', cert, '--key', key];
  const run = await runSmoke([...login, '--only', 'certificate', '--json'], { NODE_EXTRA_CA_CERTS: authority });
  return run.line('certificate');
}

describe('the certificate of a user', () => {
  it('is presented, and a token is what must come', async () => {
    answer = { status: 200, headers: { 'X-Rucio-Auth-Token': 't', 'X-Rucio-Auth-Account': 'jane' } };
    expect(await runLine()).toMatchObject({ result: 'ok', came: expect.stringContaining('a token of jane') });
    expect(presented).toEqual(['Jane']);
  });

  it('whose subject is unknown is told with the subject as it was read', async () => {
    const ExceptionMessage = "Identity error. Details: Identity '/DC=ch/CN=Jane' of type 'X509' does not exist!";
    answer = { status: 401, headers: { ExceptionClass: 'IdentityError', ExceptionMessage } };
    expect(await runLine()).toMatchObject({
      result: 'failed',
      came: expect.stringContaining("'/DC=ch/CN=Jane'"),
      advice: expect.stringContaining('add the subject'),
    });
  });

  it('that does not reach the function is told as that', async () => {
    const headers = { ExceptionClass: 'CannotAuthenticate', ExceptionMessage: 'Cannot get DN' };
    answer = { status: 401, headers };
    expect(await runLine()).toMatchObject({ result: 'failed', advice: expect.stringContaining('mtlsDomainName') });
  });
});
