import { afterEach, expect, it } from 'vitest';

import { serveEngine } from '../src/endpoint.ts';
import { Engine } from '../src/engine.ts';
import { engineClientOptions } from '../src/request-handler.ts';
import type { Transport } from '../src/transport.ts';
import { openEndpoint } from './endpoint.ts';
import { type Engines, exchange } from './exchange.ts';
import { explain } from './known-differences.ts';
import type { Body, JudgedRequest, Operation } from './request.ts';
import { State } from './state.ts';
import { createTableBody } from './tables.ts';
import { trialTables, tryParts } from './trials.ts';

const common = { region: 'us-east-1', credentials: { accessKeyId: 'judge', secretAccessKey: 'judge' } };
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Two embedded engines; the right one looks at the parts of transactions and batches from the last to the first. */
async function openOpposites(change: (body: string) => string = (body) => body): Promise<Engines> {
  const [ours, theirs] = [new Engine(), new Engine()];
  const backwards: Transport = {
    send: async (operation, text) => {
      const answer = await theirs.send(operation, JSON.stringify(reverse(JSON.parse(text) as Body)));
      return { ...answer, body: change(answer.body) };
    },
  };
  const listener = await serveEngine(backwards, 0);
  const engines: Engines = {
    left: openEndpoint({ ...common, ...engineClientOptions(ours) }),
    right: openEndpoint({ ...common, endpoint: `http://127.0.0.1:${listener.port}` }),
  };
  closing.push(
    () => ours.close(),
    () => theirs.close(),
    () => listener.close(0),
    () => engines.left.close(),
    () => engines.right.close(),
  );
  for (const table of trialTables) {
    for (const engine of [engines.left, engines.right]) await engine.send('CreateTable', createTableBody(table));
  }
  return engines;
}

function reverse(body: Body): Body {
  const { TransactItems: parts, RequestItems: requested } = body;
  return {
    ...body,
    ...(Array.isArray(parts) ? { TransactItems: parts.toReversed() } : {}),
    ...(requested === undefined || requested === null
      ? {}
      : { RequestItems: Object.fromEntries(Object.entries(requested ?? {}).toReversed()) }),
  };
}

/** Both messages for a request, and why they may differ; undefined for an unknown reason. */
async function judge(engines: Engines, operation: Operation, body: Body) {
  const request: JudgedRequest = { operation, body, touches: [], mistaken: true, ordered: true, pages: 1 };
  const answered = await exchange(engines, request);
  const outcome = { ...answered, effects: [], state: new State(), trials: await tryParts(engines, request) };
  const reasons = answered.differences.map((difference) => {
    return explain({ ...difference, request, exchange: outcome })?.reason;
  });
  return { left: answered.left.message, right: answered.right.message, reasons };
}

const key = { PK: { S: 'DID#0' }, SK: { S: 'a0' } };
const putWith = (value: unknown) => ({ Put: { TableName: 'JudgedCatalogTrial', Item: { ...key, x: value } } });
const transaction = { TransactItems: [putWith({ SS: ['a', 'a'] }), putWith({ N: 'abc' })] };
const severalPlaces = expect.stringMatching(/^of mistakes in several places any may be told/);

it('takes any of the mistakes in several parts of a transaction, if both engines find each of them alone', async () => {
  const judged = await judge(await openOpposites(), 'TransactWriteItems', transaction);
  expect(judged.left).toContain('contains duplicates');
  expect(judged.right).toContain('cannot be converted to a numeric value');
  expect(judged.reasons).toEqual([severalPlaces]);
});

it('takes an item that a batch names twice, told before a wrong value in another table', async () => {
  const put = { PutRequest: { Item: { id: { B: 'AA==' } } } };
  const wrong = { PutRequest: { Item: { ...key, GSI1PK: { S: 'p0' }, GSI1SK: { BOOL: true } } } };
  const judged = await judge(await openOpposites(), 'BatchWriteItem', {
    RequestItems: { JudgedBlobsTrial: [put, put], JudgedCatalogTrial: [wrong] },
  });
  expect(judged.left).toBe('Provided list of item keys contains duplicates');
  expect(judged.right).toContain('Type mismatch for Index Key');
  expect(judged.reasons).toEqual([severalPlaces]);
});

it('finds a mistake that one engine only sees', async () => {
  const engines = await openOpposites((body) => body.replace('cannot be converted to a numeric value', 'is wrong'));
  const judged = await judge(engines, 'TransactWriteItems', transaction);
  expect(judged.right).toContain('is wrong');
  expect(judged.reasons).toEqual([undefined]);
});

it('finds a mistake that is in no part', async () => {
  let isWhole = true;
  const engines = await openOpposites((body) => {
    const invented = 'Input collection [b, b] contains duplicates.';
    const changed = isWhole
      ? body.replace(/(One or more parameter values were invalid: )?The parameter.*(?="\})/, invented)
      : body;
    isWhole &&= !body.includes('message');
    return changed;
  });
  const judged = await judge(engines, 'TransactWriteItems', transaction);
  expect(judged.right).toContain('[b, b]');
  expect(judged.reasons).toEqual([undefined]);
});
