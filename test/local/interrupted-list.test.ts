import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';

import { group } from '../../lib/contract/route.ts';
import { log } from '../../lib/log.ts';
import { listen, type Listener } from '../../local/engine/src/listen.ts';
import { createGateway } from '../../local/gateway.ts';
import { defineLambdaRuntime, type Handler } from '../../local/lambda-runtime.ts';
import { runHere } from '../../local/run-function.ts';

const contract = group('lists', ['/lists'], {
  endless: {
    method: 'GET',
    path: '/lists/:end',
    summary: 'lines without an end, or until they fail',
    permission: 'open',
    answer: { kind: 'stream', schema: z.unknown() },
  },
});

async function* lines(failsAt: number) {
  for (let line = 0; ; line += 1) {
    if (line === failsAt) throw new Error('the table is away');
    yield { line, text: 'x'.repeat(20_000) };
    await sleep(1);
  }
}

let server: Listener;
const reports: string[] = [];
beforeAll(async () => {
  // The lists read nothing of the table.
  vi.stubEnv('TABLE_NAME', 'none');
  vi.stubEnv('RESPONSE_MODE', 'stream');
  defineLambdaRuntime();
  const { createHandler } = await import('../../lib/http/handler.ts');
  const handler = createHandler(contract, {
    endless: (_context, { params }) => lines(params.end === 'never' ? -1 : Number(params.end)),
  });
  const load = async () => handler as unknown as Handler;
  server = await listen(
    0,
    createGateway({ groups: [contract], run: runHere(load), report: (message) => reports.push(message) }),
  );
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close(0);
});

async function begin(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const request = httpRequest({ host: '127.0.0.1', port: server.port, path, headers }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  await once(response, 'data');
  return response;
}

describe.each([
  ['plain', {}],
  ['compressed', { 'Accept-Encoding': 'gzip' }],
])('a list, %s', (_kind, headers) => {
  it('that its client interrupts is recorded as interrupted, and is no error', async () => {
    reports.length = 0;
    const [errors, infos] = [vi.spyOn(log, 'error'), vi.spyOn(log, 'info')];
    try {
      (await begin('/lists/never', headers)).destroy();
      await expect.poll(() => infos.mock.calls).toEqual([['request', expect.objectContaining({ interrupted: true })]]);
      expect([errors.mock.calls, reports]).toEqual([[], []]);
    } finally {
      errors.mockRestore();
      infos.mockRestore();
    }
  });

  it('that fails is an error with its cause', async () => {
    const errors = vi.spyOn(log, 'error').mockImplementation(() => {});
    try {
      const response = await begin('/lists/9', headers);
      response.resume();
      const failure = expect.objectContaining({ message: 'the table is away' });
      await expect
        .poll(() => errors.mock.calls)
        .toEqual([['answer broken off', expect.objectContaining({ error: failure })]]);
    } finally {
      errors.mockRestore();
    }
  });
});
