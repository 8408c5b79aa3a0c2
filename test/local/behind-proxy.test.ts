import type { IncomingMessage } from 'node:http';

import { expect, it } from 'vitest';

import { callerBehind, directCaller } from '../../local/caller.ts';
import { readSettings } from '../../local/options.ts';
import { startServer } from '../../local/server.ts';
import { startServerProcess } from '../support/server-process.ts';

const forwarded = {
  'x-forwarded-for': '192.0.2.7, 203.0.113.9',
  'x-forwarded-host': 'catalogue.example.org',
  'x-forwarded-proto': 'https',
};
const isAllowed = (name: string) => name === 'catalogue.example.org';

function sent(remoteAddress: string, headers: Readonly<Record<string, string>> = forwarded): IncomingMessage {
  return { socket: { remoteAddress }, headers: { host: 'localhost:8080', ...headers } } as unknown as IncomingMessage;
}

it('forwarded headers count for nothing unless they come from a proxy that was named', () => {
  const stranger = { address: '198.51.100.1', protocol: 'http', host: 'localhost:8080' };
  expect(directCaller(sent('198.51.100.1'))).toEqual(stranger);
  expect(callerBehind(['loopback', '10.0.0.0/8'], isAllowed)(sent('198.51.100.1'))).toEqual(stranger);
});

it.each([
  [['loopback'], '127.0.0.1'],
  [['loopback'], '::1'],
  [['loopback'], '::ffff:127.0.0.1'],
  [['10.0.0.0/8'], '10.20.30.40'],
  [['10.0.0.0/8'], '::ffff:10.1.2.3'],
  [['2001:db8::/32'], '2001:db8::7'],
  [['192.0.2.200'], '192.0.2.200'],
])('of a proxy among %s, %s tells caller, protocol and name', (proxies, address) => {
  expect(callerBehind(proxies, isAllowed)(sent(address))).toEqual({
    address: '203.0.113.9',
    protocol: 'https',
    host: 'catalogue.example.org',
  });
});

it('addresses that the caller wrote itself before those of proxies count for nothing', () => {
  const callerOf = callerBehind(['loopback', '203.0.113.9'], isAllowed);
  expect(callerOf(sent('127.0.0.1')).address).toBe('192.0.2.7');
  const chain = { ...forwarded, 'x-forwarded-for': '127.0.0.1, 192.0.2.7, 203.0.113.9' };
  expect(callerOf(sent('127.0.0.1', chain)).address).toBe('192.0.2.7');
});

it('a forwarded name that the server is not to have is ignored, and a proxy may tell nothing', () => {
  const callerOf = callerBehind(['loopback'], isAllowed);
  const evil = callerOf(sent('127.0.0.1', { ...forwarded, 'x-forwarded-host': 'evil.example.org' }));
  expect(evil.host).toBe('localhost:8080');
  expect(callerOf(sent('127.0.0.1', {}))).toEqual({ address: '127.0.0.1', protocol: 'http', host: 'localhost:8080' });
});

it.each(['localhost', '10.0.0.0/33', '10.0.0', '::/129', '10.0.0.0/x'])('%s is no proxy', (proxy) => {
  expect(() => callerBehind([proxy], isAllowed)).toThrow(`--behind-proxy ${proxy}`);
});

it('behind a proxy the documented password is refused, locations are those of the proxy, and metrics stay here', async () => {
  const args = ['--in-memory', '--behind-proxy', 'loopback', '--allow-host', 'catalogue.example.org'];
  const server = await startServerProcess(args, { ROOT_PASSWORD: 'own', PASSWORD_ROUNDS: '16' });
  try {
    const headers = { 'X-Forwarded-Host': 'catalogue.example.org', 'X-Forwarded-Proto': 'https' };
    const answer = await fetch(`${server.url}/ping`, { headers });
    expect(answer.headers.get('Strict-Transport-Security')).toContain('max-age=');
    expect((await fetch(`${server.url}/ping`)).headers.has('Strict-Transport-Security')).toBe(false);
    expect((await fetch(`${server.url}/metrics`, { headers })).status).toBe(404);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(200);
  } finally {
    await server.stop();
  }
  const root = { username: 'ddmlab', password: 'secret' };
  await expect(startServer({ ...readSettings(args), port: 0, root, tasks: false })).rejects.toThrow(
    'documented password',
  );
});
