import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';

import { group } from '../../lib/contract/route.ts';
import { byName, type Page, type Placed, placed } from '../../lib/domain/paging/page.ts';
import { fail } from '../../lib/errors.ts';
import type { Operations } from '../../lib/http/operation.ts';
import { type EventOptions, gatewayEvent, lambdaContext } from '../support/event.ts';

const list = {
  method: 'GET',
  summary: 'list',
  permission: 'open',
  pages: true,
  query: z.object({ kind: z.optional(z.string()), tags: z._default(z.array(z.string()), []) }),
} as const;

const contract = group('test', ['/test'], {
  lines: { ...list, path: '/test/lines/:name', answer: { kind: 'stream', schema: z.int() } },
  array: { ...list, path: '/test/array/:name', answer: { kind: 'json', schema: z.array(z.string()) } },
});

/** Numbers from 0 to 9; reading the one that the list is named after fails. */
async function* numbers(broken: string, { after: [last = '-1'] = [] }: Page): AsyncGenerator<Placed<number>> {
  for (let number = Number(last) + 1; number < 10; number += 1) {
    if (String(number) === broken) fail('RucioException', 'the list breaks');
    yield await Promise.resolve(placed(number, String(number)));
  }
}

const operations: Operations<typeof contract.routes> = {
  lines: (_context, { params, page }) => numbers(params.name, page),
  array: (_context, { query, page }) => byName(['b', 'a', 'c', ...query.tags], (name) => name, page),
};

interface Answer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

let send: (method: string, path: string, options?: EventOptions, context?: object) => Promise<Answer>;

beforeAll(async () => {
  vi.stubEnv('LOG_LEVEL', 'SILENT');
  vi.stubEnv('TOKEN_KEY', 'k'.repeat(40));
  vi.stubEnv('TABLE_NAME', 'none');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('CORS_ORIGINS', 'https://ui.example.org');
  vi.stubEnv('RESPONSE_MODE', 'buffer');
  const { createHandler } = await import('../../lib/http/handler.ts');
  type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<Answer>;
  const handler = createHandler(contract, operations) as unknown as Handler;
  send = (method, path, options, context = {}) => {
    const event = gatewayEvent(method, path, options);
    Object.assign(event.requestContext, context);
    return handler(event, lambdaContext());
  };
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const linked = ({ headers }: Answer) => /^<([^?]*)\?([^>]*)>; rel="next"$/.exec(headers['Link'] ?? '') ?? [];
const queryIn = (answer: Answer) => {
  const parameters = new URLSearchParams(linked(answer)[2]);
  return Object.fromEntries([...parameters.keys()].map((key) => [key, parameters.getAll(key)]));
};

describe('a page at the edge', () => {
  it('has the requested number of rows, and a link while there are more', async () => {
    const first = await send('GET', '/test/lines/a', { query: { limit: ['4'] } });
    expect(first.body).toBe('0\n1\n2\n3\n');
    const second = await send('GET', '/test/lines/a', { query: queryIn(first) });
    expect(second.body).toBe('4\n5\n6\n7\n');
    const third = await send('GET', '/test/lines/a', { query: queryIn(second) });
    expect([third.body, third.headers['Link']]).toEqual(['8\n9\n', undefined]);
  });

  it('that ends with the last row has no link', async () => {
    for (const limit of ['10', '11', '10000']) {
      const { body, headers } = await send('GET', '/test/lines/a', { query: { limit: [limit] } });
      expect([body.length, headers['Link']]).toEqual([20, undefined]);
    }
  });

  it('of a JSON list is a JSON list', async () => {
    const page = await send('GET', '/test/array/a', { query: { limit: ['2'] } });
    expect([page.body, page.headers['Content-Type']]).toEqual(['["a", "b"]', 'application/json']);
    expect((await send('GET', '/test/array/a', { query: queryIn(page) })).body).toBe('["c"]');
    expect((await send('GET', '/test/array/a')).body).toBe('["a", "b", "c"]');
  });

  it('that fails is an error answer, even after its first rows or at its next row', async () => {
    for (const limit of ['3', '8']) {
      const answer = await send('GET', '/test/lines/3', { query: { limit: [limit] } });
      expect([answer.statusCode, answer.headers['ExceptionClass']]).toEqual([500, 'RucioException']);
    }
    expect((await send('GET', '/test/lines/3', { query: { limit: ['2'] } })).body).toBe('0\n1\n');
  });

  it('links with all values of the other parameters, each encoded', async () => {
    const query = { kind: ['a&b= "<é>'], tags: ['x y', 'z>'], unknown: ['1', '2'], limit: ['1', '7'] };
    const page = await send('GET', '/test/array/a', { query });
    expect(queryIn(page)).toEqual({ ...query, limit: ['1'], cursor: [expect.stringMatching(/^[\w-]+$/)] });
    expect((await send('GET', '/test/array/a', { query: queryIn(page) })).body).toBe('["b"]');
    const other = { ...queryIn(page), tags: ['x y'] };
    expect((await send('GET', '/test/array/a', { query: other })).headers['ExceptionClass']).toBe('InvalidObject');
  });

  it.each([
    ['/test/lines/a%2Fb%20c', '/test/lines/a%2Fb%20c'],
    ['/test/lines/a<b>"é', '/test/lines/a%3Cb%3E%22%C3%A9'],
  ])('links to the unchanged path, escaped for angle brackets: %s', async (path, expected) => {
    expect(linked(await send('GET', path, { query: { limit: ['1'] } }))[1]).toBe(expected);
  });

  it("links below the stage if the URL has one: on API Gateway's own domains", async () => {
    const link = async (domainName: string) =>
      linked(await send('GET', '/test/lines/a', { query: { limit: ['1'] } }, { domainName, stage: 'prod' }))[1];
    expect(await link('abc123.execute-api.eu-central-1.amazonaws.com')).toBe('/prod/test/lines/a');
    expect(await link('dapple.example.org')).toBe('/test/lines/a');
  });

  it('links below the path of a custom domain name, and is found with and without it', async () => {
    vi.stubEnv('BASE_PATH', '/rucio');
    const link = async (path: string, domainName: string) =>
      linked(await send('GET', path, { query: { limit: ['1'] } }, { domainName, stage: 'prod' }))[1];
    expect(await link('/rucio/test/lines/a', 'dapple.example.org')).toBe('/rucio/test/lines/a');
    expect(await link('/rucio/test/lines/rucio', 'dapple.example.org')).toBe('/rucio/test/lines/rucio');
    expect(await link('/test/lines/a', 'abc123.execute-api.eu-central-1.amazonaws.com')).toBe('/prod/test/lines/a');
    expect((await send('GET', '/rucios/test/lines/a', {}, { domainName: 'dapple.example.org' })).statusCode).toBe(404);
    const slashes = await send('GET', '/rucio//else//x', {}, { domainName: 'dapple.example.org' });
    expect([slashes.statusCode, slashes.headers['Location']]).toEqual([308, '/rucio/else//x']);
    vi.stubEnv('BASE_PATH', undefined);
  });

  it('exposes its link to browsers of configured origins, and in HEAD', async () => {
    const headers = { Origin: 'https://ui.example.org' };
    const page = await send('HEAD', '/test/lines/a', { headers, query: { limit: ['1'] } });
    expect(page.headers['Access-Control-Expose-Headers']).toContain('Link');
    expect([page.body, linked(page)[1]]).toEqual(['', '/test/lines/a']);
  });
});
