import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type LocalServer, startServer } from '../../local/server.ts';

let server: LocalServer;
beforeAll(async () => {
  server = await startServer({ port: 0, dynamodbPort: 0, tasks: false, browser: false, hosts: ['Dapple.example.org'] });
});
afterAll(async () => server.close());

/** Asks a port with a Host of its own. */
async function ask(url: string, host: string): Promise<{ status: number | undefined; body: string }> {
  const { port } = new URL(url);
  const path = url === server.url ? '/ping' : '/';
  const outgoing = request({ host: '127.0.0.1', port, path, headers: { Host: host } }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

describe('both ports of the local server (DNS rebinding)', () => {
  const urls = () => [server.url, server.dynamodbUrl ?? ''];
  const names = [
    'localhost',
    'LOCALHOST',
    'localhost.',
    '127.0.0.1',
    '127.0.0.1:80',
    '[::1]',
    '[::1]:8080',
    'localhost:1',
  ];

  it.each([...names, 'dapple.example.org', 'DAPPLE.example.org:8080'])('serve %s', async (host) => {
    for (const url of urls()) expect((await ask(url, host)).status).toBe(200);
  });

  it.each(['evil.example.org', 'localhost.evil.org', '127.0.0.1.evil.org', '10.0.0.1', '[::2]', 'x.localhost.com'])(
    'refuse %j: 421 that says what to do',
    async (host) => {
      for (const url of urls()) {
        const { status, body } = await ask(url, host);
        expect(status).toBe(421);
        expect(body).toContain('--allow-host');
      }
    },
  );

  it('are reached under all names of loopback', async () => {
    const { port } = new URL(server.url);
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      expect((await fetch(`http://${host}:${port}/ping`)).status).toBe(200);
    }
  });
});
