import { once } from 'node:events';
import { get } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';

import { expect, it } from 'vitest';

import { listen } from '../src/listen.ts';

it('names the remedy if the port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;

  await expect(listen(port, () => {})).rejects.toThrow(
    `Port ${port} is taken by another program. Choose another one, such as ${port + 1}`,
  );
  other.close();
});

it('is open on loopback only', async () => {
  const server = await listen(0, (_request, response) => response.end('ok'));
  const outer = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal);

  const probe = get({ host: outer?.address ?? '127.0.0.2', port: server.port });

  await expect(once(probe, 'response')).rejects.toThrow('ECONNREFUSED');
  await server.close(0);
});

it('lets an open request finish, and aborts it after the grace period', async () => {
  const server = await listen(0, (request, response) => {
    response.write('x');
    if (request.url === '/short') setTimeout(() => response.end(), 50);
  });
  const open = async (path: string) => {
    const [response] = await once(get({ host: '127.0.0.1', port: server.port, path }), 'response');
    return response;
  };
  const [short, endless] = await Promise.all([open('/short'), open('/endless')]);
  const finished = once(short.resume(), 'end');
  const broken = once(endless.resume(), 'error');

  await server.close(200);

  await finished;
  expect(String(await broken)).toContain('aborted');
});
