import { connect, type Socket } from 'node:net';

import { expect, it } from 'vitest';

import { BodyBudget } from '../../local/body-budget.ts';
import { startServer } from '../../local/server.ts';

it('gives up the body whose last part is the oldest, and no other', () => {
  const givenUp: string[] = [];
  const budget = new BodyBudget(100);
  const open = (name: string) => budget.open(() => givenUp.push(name));
  const [first, second, third] = [open('first'), open('second'), open('third')];
  first.add(40);
  second.add(40);
  first.add(10);
  third.add(20);
  expect(givenUp).toEqual(['second']);
  third.add(50);
  expect(givenUp).toEqual(['second', 'first']);
  third.close();
  const fourth = open('fourth');
  fourth.add(100);
  expect(givenUp).toEqual(['second', 'first']);
});

it('60 unfinished bodies of 9 MB hold 64 MB at most, and a complete one is answered meanwhile', async () => {
  const server = await startServer({ port: 0, tasks: false, browser: false });
  const port = Number(new URL(server.url).port);
  const sockets: Socket[] = [];
  try {
    const head = 'POST /dids HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9500000\r\n\r\n';
    const part = Buffer.alloc(9_000_000, 'x');
    for (let count = 0; count < 60; count += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      sockets.push(socket);
      socket.write(head);
      socket.write(part);
    }
    // Seven of them fit.
    await expect.poll(() => sockets.filter(({ destroyed }) => !destroyed).length, { timeout: 20_000 }).toBeLessThan(8);
    const body = 'x'.repeat(2_000_000);
    const answer = await fetch(`${server.url}/dids`, { method: 'POST', body });
    expect(answer.status).toBe(401);
  } finally {
    for (const socket of sockets) socket.destroy();
    await server.close();
  }
}, 60_000);
