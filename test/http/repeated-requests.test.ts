/**
 * Requests with an `Idempotency-Key` under faults between function and table. The functions run on a table of their
 * own, over a transport with injected faults.
 */
import { randomUUID } from 'node:crypto';

import { ScanCommand, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { clock } from '../../lib/clock.ts';
import { localClient } from '../../local/local-client.ts';
import type { FaultyEngine, ChooseFault } from '../support/faulty-engine.ts';
import { skipPauses } from '../support/pauses.ts';
import { ownEngine } from '../support/run.ts';
import { type Instance, openInstances, type Sent } from './instances.ts';

skipPauses();

let engine: FaultyEngine;
let tableName: string;
let first: Instance;
let second: Instance;
beforeAll(async () => {
  ({ engine, tableName, first, second } = await openInstances());
});
afterEach(() => {
  engine.injectFaults(() => undefined);
  vi.useRealTimers();
});
afterAll(() => vi.unstubAllEnvs());

/** The items in partitions whose names match, as JSON. */
async function scan(partitions: RegExp): Promise<string[]> {
  const client = localClient((await ownEngine()).client);
  const found: string[] = [];
  let start: ScanCommandInput['ExclusiveStartKey'];
  do {
    const page: ScanCommandOutput = await client.send(
      new ScanCommand({ TableName: tableName, ConsistentRead: true, ExclusiveStartKey: start }),
    );
    const items = (page.Items ?? []).filter(({ PK }) => partitions.test(PK?.S ?? ''));
    found.push(...items.map((item) => JSON.stringify(item)));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  client.destroy();
  return found.toSorted();
}

/** Everything in the table, except kept answers and the records of bulk requests. */
const contentOfTable = () => scan(/^(?!(IDEMPOTENCY|BATCH|BATCHLISTS)#)/);

/** Loses the answer of the committing write however often it is sent, then breaks the connection. */
function loseTheCommit(
  isCommit: (operation: string, input: Readonly<Record<string, unknown>>) => boolean,
): ChooseFault {
  let isLost = false;
  return (operation, input) => {
    if (isLost) return { kind: 'hang up' };
    if (!isCommit(operation, input)) return undefined;
    isLost = true;
    return { kind: 'lose answer' };
  };
}

const files = (count: number) =>
  Array.from({ length: count }, () => ({ scope: 'data', name: `f-${randomUUID()}`, bytes: 1 }));

const isTransaction = (operation: string) => operation === 'TransactWriteItems';
/** The write that turns the record of a bulk request from pending to committed. */
const isBulkCommit = (operation: string, input: object) =>
  /^(UpdateItem|TransactWriteItems)$/.test(operation) && JSON.stringify(input).includes('"committed"');
const isPut = (operation: string) => operation === 'PutItem';

/** Requests by the way they are carried out, with the write that commits each. */
const ways: readonly (readonly [
  name: string,
  commit: Parameters<typeof loseTheCommit>[0],
  request: () => Promise<Sent>,
])[] = [
  [
    'one write',
    isTransaction,
    async () => ({ group: 'config', method: 'PUT', path: `/config/${randomUUID()}/colour/red` }),
  ],
  [
    'a few writes',
    isTransaction,
    async () => ({
      group: 'dids',
      method: 'POST',
      path: `/dids/data/${randomUUID()}`,
      body: { type: 'DATASET', rse: 'ONE', dids: files(1) },
    }),
  ],
  [
    'many writes',
    isBulkCommit,
    async () => ({
      group: 'dids',
      method: 'POST',
      path: `/dids/data/${randomUUID()}`,
      body: { type: 'DATASET', rse: 'ONE', dids: files(30) },
    }),
  ],
  ['no write', isPut, async () => ({ group: 'config', method: 'POST', path: '/config', body: {} })],
];

describe.each(ways)('a request of %s', (_name, isCommit, request) => {
  it('whose answer was lost after its effect gets it when repeated, without a second effect', async () => {
    const sent = { ...(await request()), key: randomUUID() };
    engine.injectFaults(loseTheCommit(isCommit));
    const lost = await first(sent);
    expect(lost.statusCode).toBeGreaterThanOrEqual(500);
    engine.injectFaults(() => undefined);
    const repeat = await second(sent);
    expect([repeat.statusCode, repeat.headers['Idempotent-Replayed']]).toEqual([201, 'true']);
    const content = await contentOfTable();
    expect((await second(sent)).headers['Idempotent-Replayed']).toBe('true');
    expect(await contentOfTable()).toEqual(content);
  });

  it('that did not reach the table is carried out when repeated', async () => {
    const sent = { ...(await request()), key: randomUUID() };
    engine.injectFaults((operation) =>
      /^(Put|Transact|Batch(Write|Execute)|Update)/.test(operation) ? { kind: 'hang up' } : undefined,
    );
    expect((await first(sent)).statusCode).toBe(503);
    engine.injectFaults(() => undefined);
    const repeat = await second(sent);
    expect([repeat.statusCode, repeat.headers['Idempotent-Replayed']]).toEqual([201, undefined]);
  });

  it('that two instances get concurrently takes effect once', async () => {
    const sent = { ...(await request()), key: randomUUID() };
    engine.shuffle(7);
    const answers = await Promise.all([first(sent), second(sent), first(sent)]);
    engine.shuffle(undefined);
    expect(answers.filter(({ statusCode }) => statusCode !== 201 && statusCode !== 409)).toEqual([]);
    const done = answers.filter(
      ({ statusCode, headers }) => statusCode === 201 && headers['Idempotent-Replayed'] === undefined,
    );
    expect(done).toHaveLength(1);
  });
});

describe('a bulk request that still runs', () => {
  it('makes its repeat wait, and then gives it its answer', async () => {
    const path = `/dids/data/${randomUUID()}`;
    const sent: Sent = {
      group: 'dids',
      method: 'POST',
      path,
      body: { type: 'DATASET', rse: 'ONE', dids: files(30) },
      key: randomUUID(),
    };
    const staged = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    engine.injectFaults((operation, input) => {
      if (!isBulkCommit(operation, input)) return undefined;
      staged.resolve();
      return { kind: 'delay', until: goOn.promise };
    });
    const slow = first(sent);
    await staged.promise;
    const early = await second(sent);
    expect([early.statusCode, early.headers['ExceptionClass']]).toEqual([409, 'IdempotencyKeyInUse']);
    expect(Number(early.headers['Retry-After'])).toBeGreaterThanOrEqual(1);
    goOn.resolve();
    expect((await slow).statusCode).toBe(201);
    expect((await second(sent)).headers['Idempotent-Replayed']).toBe('true');
  });
});

describe.each([
  { way: 'move', copies: 1, change: { rse_expression: 'TWO' }, status: 201, twice: 409 },
  { way: 'reduce', copies: 2, change: { copies: 1 }, status: 200, twice: 404 },
])('a request to $way a rule', ({ way, copies, change, status, twice }) => {
  const idsOfRules = async ({ name }: { readonly name: string }) => {
    const { body } = await first({ group: 'dids', method: 'GET', path: `/dids/data/${name}/rules` });
    return Array.from(body.matchAll(/"id":\s*"(\w+)"/g), ([, id]) => id);
  };

  it('whose instance dies at any of its writes has done all or nothing, and a repeat without a key does no more', async () => {
    for (let fatal = 1, isOver = false; !isOver; fatal += 1) {
      const [file = { scope: 'data', name: '', bytes: 1 }] = files(1);
      for (const rse of ['ONE', 'TWO'].slice(0, copies)) {
        await first({ group: 'replicas', method: 'POST', path: '/replicas', body: { rse, files: [file] } });
      }
      const wish = { dids: [file], account: null, copies, rse_expression: 'ONE|TWO'.slice(0, copies === 1 ? 3 : 7) };
      const [rule = ''] = JSON.parse(
        (await first({ group: 'rules', method: 'POST', path: '/rules', body: wish })).body,
      ) as string[];
      const sent: Sent = { group: 'rules', method: 'POST', path: `/rules/${rule}/${way}`, body: change };
      let writes = 0;
      engine.injectFaults((operation) => {
        if (/^(Transact|BatchWrite|Put|Update|Delete)/.test(operation)) writes += 1;
        return writes >= fatal ? { kind: 'hang up' } : undefined;
      });
      const { statusCode } = await first(sent);
      isOver = writes < fatal;
      engine.injectFaults(() => undefined);
      const isDone = (await idsOfRules(file)).some((id) => id !== rule);
      if (statusCode >= 500) expect(isDone).toBe(false);
      expect((await second(sent)).statusCode, `after write ${fatal}`).toBe(isDone ? twice : status);
      expect((await idsOfRules(file)).filter((id) => id !== rule)).toHaveLength(1);
    }
  });
});

describe('the stored answer of a request', () => {
  it('contains no password', async () => {
    const identity = {
      identity: randomUUID(),
      authtype: 'USERPASS',
      email: 'a@example.org',
      password: `pw-${randomUUID()}`,
    };
    const sent: Sent = { group: 'accounts', method: 'POST', path: '/accounts/root/identities', body: identity };
    const before = new Set(await scan(/^IDEMPOTENCY#/));
    expect((await first({ ...sent, key: randomUUID() })).statusCode).toBe(201);
    const [kept = '', ...others] = (await scan(/^IDEMPOTENCY#/)).filter((item) => !before.has(item));
    expect(others).toEqual([]);
    expect(kept).not.toContain(identity.password);
  });
});

describe('an idempotency key', () => {
  it('expires after a day, even while the table still has it', async () => {
    const sent: Sent = {
      group: 'config',
      method: 'PUT',
      path: `/config/${randomUUID()}/colour/red`,
      key: randomUUID(),
    };
    expect((await first(sent)).statusCode).toBe(201);
    vi.useFakeTimers({ now: clock.now() + 24 * 3_600_000 + 2_000, toFake: ['Date'] });
    const late = await first({ ...sent, path: `/config/${randomUUID()}/colour/blue` });
    expect([late.statusCode, late.headers['Idempotent-Replayed']]).toEqual([201, undefined]);
    const repeat = await first(sent);
    expect(repeat.statusCode).toBe(422);
  });
});
