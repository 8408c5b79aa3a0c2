import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { readSettings } from '../../local/options.ts';
import { type Certificate, makeCertificate } from '../support/certificate.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'dapple-tls-'));
const files = ['--tls-cert', join(folder, 'cert.pem'), '--tls-key', join(folder, 'key.pem')];
const name = 'catalogue.example.org';
const first = makeCertificate(['localhost', name]);
const second = makeCertificate(['localhost', name], 30);
let server: ServerProcess;

function install(file: 'cert' | 'key', certificate: Certificate): void {
  writeFileSync(join(folder, 'new.pem'), certificate[file], { mode: 0o600 });
  renameSync(join(folder, 'new.pem'), join(folder, `${file}.pem`));
}

/** Sends a request over a connection of its own; only the certificate is trusted. */
async function get(path: string, { host = name, ca = first.cert } = {}) {
  const { port } = new URL(server.url);
  return new Promise<{ status: number | undefined; strict: unknown; location: unknown; ends: string }>((done, fail) => {
    const options = { host: '127.0.0.1', port, path, ca, agent: false, headers: { Host: host }, servername: name };
    request(options, (response) => {
      const { headers, statusCode: status } = response;
      const ends = (response.socket as TLSSocket).getPeerCertificate().valid_to;
      response.resume().once('end', () => {
        done({ status, strict: headers['strict-transport-security'], location: headers.location, ends });
      });
    })
      .once('error', fail)
      .end();
  });
}

beforeAll(async () => {
  install('cert', first);
  install('key', first);
  server = await startServerProcess(['--in-memory', '--host', '0.0.0.0', ...files], {
    ROOT_PASSWORD: 'own',
    PASSWORD_ROUNDS: '16',
    NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
  });
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('a certificate makes the port one of TLS, for the names of the certificate', async () => {
  expect(server.url).toMatch(/^https:\/\/localhost:\d+$/);
  expect((await get('/ping')).status).toBe(200);
  for (const host of ['evil.example.org', '192.0.2.7', '[::2]', 'a b', '[', '..', '*.example.org']) {
    expect((await get('/ping', { host })).status, host).toBe(421);
  }
  await expect(fetch(server.url.replace('https', 'http'))).rejects.toThrow();
});

it('browsers are told to stay with TLS, but not on names of this machine', async () => {
  expect((await get('/ping')).strict).toBe('max-age=31536000');
  expect((await get('/ping', { host: 'localhost' })).strict).toBeUndefined();
});

it('a renewed certificate is used without a restart, and half of one is not', async () => {
  const { ends } = await get('/ping');
  install('cert', second);
  await expect.poll(() => server.said.join('\n'), { interval: 50 }).toContain('The former certificate stays in use.');
  expect((await get('/ping')).ends).toBe(ends);
  install('key', second);
  await expect.poll(() => server.said.join('\n'), { interval: 50 }).toContain('the certificate was renewed');
  expect((await get('/ping', { ca: second.cert })).ends).not.toBe(ends);
});

it('a certificate that ends within two weeks is complained about', () => {
  expect(server.said.filter((line) => /^the certificate \S+cert\.pem ends /.test(line))).toHaveLength(1);
});

it('a key without its certificate, and files that are none, are refused with a sentence', async () => {
  expect(() => readSettings(['--tls-key', 'x'])).toThrow('belong together');
  const missing = ['--in-memory', '--tls-cert', join(folder, 'none.pem'), '--tls-key', join(folder, 'key.pem')];
  await expect(startServerProcess(missing)).rejects.toThrow(/none\.pem cannot be read/);
});
