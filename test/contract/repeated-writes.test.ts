/**
 * Every writing route: a request that succeeds (from the authorization matrix) is repeated with its `Idempotency-Key`.
 * The repeat gets the same answer and changes nothing.
 */
import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { acceptsIdempotencyKey } from '../../lib/contract/idempotency.ts';
import { groups } from '../../lib/contract/index.ts';
import type { Route } from '../../lib/contract/route.ts';
import { accountRows } from '../security/authorization/account-rows.ts';
import { makeCallers } from '../security/authorization/callers.ts';
import { didRows } from '../security/authorization/did-rows.ts';
import { type Maker, openMaker } from '../security/authorization/maker.ts';
import { otherRows } from '../security/authorization/other-rows.ts';
import { replicaRows } from '../security/authorization/replica-rows.ts';
import { type Attempt, may, type Row, type Rows } from '../security/authorization/row.ts';
import { rseRows } from '../security/authorization/rse-rows.ts';
import { ruleRows } from '../security/authorization/rule-rows.ts';
import { expectStatus, newStorageRse, register } from '../support/replicas.ts';
import { allow, newRule } from '../support/rules.ts';
import { tokenKey } from '../support/run.ts';
import { type Answer, asRoot, call, uniqueName } from '../support/server.ts';

const root = asRoot();
const rows: Rows = Object.assign({}, accountRows, didRows, rseRows, replicaRows, ruleRows, otherRows) as Rows;
const writes: [string, Route][] = groups.flatMap(({ routes }) =>
  Object.entries<Route>(routes).filter(([, route]) => acceptsIdempotencyKey(route)),
);

/** Routes where no request can succeed here: there is no certificate, no ticket, and no protocol without a port. */
const neverSucceeding = new Set(['addX509', 'addGss', 'updateProtocolOfHost', 'updateProtocolOfScheme']);

/** Requests that succeed, for routes whose requests in the matrix are refused to everybody. */
const own: Readonly<Record<string, Row['attempt']>> = {
  resurrect: async ({ scope, name, as }) => {
    const expired = name();
    await as('post', `/dids/${scope}/${expired}`, { type: 'DATASET', lifetime: -10 });
    return { path: '/dids/resurrect', body: [{ scope, name: expired }], look: `/dids/${scope}/${expired}` };
  },
  reduceRule: async ({ scope, name }) => {
    const [file, one, two] = [name(), await newStorageRse(), await newStorageRse()];
    await allow('root', one, two);
    await register(one, scope, [file]);
    await register(two, scope, [file]);
    const rule = await newRule({ scope, name: file }, `${one}|${two}`, { copies: 2 });
    return { path: `/rules/${rule}/reduce`, body: { copies: 1 }, look: `/replicas/${scope}/${file}` };
  },
  // Moves to an empty RSE, so that the old rule is kept for a while.
  moveRule: async ({ scope, name }) => {
    const [file, one, two] = [name(), await newStorageRse(), await newStorageRse()];
    await allow('root', one, two);
    await register(one, scope, [file]);
    const rule = await newRule({ scope, name: file }, one);
    return { path: `/rules/${rule}/move`, body: { rse_expression: two }, look: `/dids/${scope}/${file}/rules` };
  },
  addLifetimeExceptions: (make) => newException(make),
  updateLifetimeException: async (make) => {
    const { body } = await newException(make);
    const added = (await root.post('/lifetime_exceptions/', body)).json() as { exceptions: object };
    const path = `/lifetime_exceptions/${Object.keys(added.exceptions)[0]}`;
    return { path, body: { state: 'A' }, look: path };
  },
};

async function newException({ scope, dataset, as }: Maker): Promise<Attempt> {
  const name = await dataset();
  await as('post', `/dids/${scope}/${name}/meta/eol_at`, { value: '2050-01-01' });
  const body = { dids: [{ scope, name, did_type: 'DATASET' }], comments: 'x', pattern: null, expires_at: null };
  return { path: '/lifetime_exceptions', body };
}

let make: Maker;
beforeAll(async () => {
  make = await openMaker(await makeCallers(await tokenKey()));
  expectStatus(await root.post('/config', { lifetime_model: { cutoff_date: '2090-01-01' } }), 201);
});
afterAll(async () => {
  await root.delete('/config/lifetime_model');
});

describe('every route that writes', () => {
  it('is covered here', () => {
    expect(writes.length).toBeGreaterThan(70);
    expect(writes.map(([id]) => id).filter((id) => requestsTo(id).length === 0)).toEqual([]);
  });

  it.each(writes.filter(([id]) => !neverSucceeding.has(id)))(
    '%s gives a repeat its first answer, and does it once',
    async (id, { method }) => {
      for (const request of requestsTo(id)) {
        const attempt = await request(make);
        const options = { headers: { ...attempt.headers, 'Idempotency-Key': uniqueName(randomUUID()) } };
        const first = await send(method, attempt, options);
        expect(first.status, first.text).toBeLessThan(300);
        const seen = await look(attempt);
        const second = await send(method, attempt, options);
        expect(contentOf(second)).toEqual(contentOf(first));
        expect(second.headers.get('Idempotent-Replayed')).toBe('true');
        expect(first.headers.get('Idempotent-Replayed')).toBeNull();
        expect(await look(attempt)).toBe(seen);
      }
    },
  );

  it.each(writes.filter(([id]) => neverSucceeding.has(id)))(
    '%s refuses a repeat as it refused the first',
    async (id, { method }) => {
      for (const request of requestsTo(id)) {
        const attempt = await request(make);
        const options = { headers: { ...attempt.headers, 'Idempotency-Key': uniqueName() } };
        const [first, second] = [await send(method, attempt, options), await send(method, attempt, options)];
        expect(first.status).toBeGreaterThanOrEqual(400);
        expect(contentOf(second)).toEqual(contentOf(first));
        expect(second.headers.get('Idempotent-Replayed')).toBeNull();
      }
    },
  );
});

/** Requests that root may send. */
function requestsTo(id: string): readonly Row['attempt'][] {
  const given = own[id];
  if (given !== undefined) return [given];
  return [rows[id] ?? []].flat().flatMap((row: Row) => (may[row.who].length === 0 ? [] : [row.attempt]));
}

function send(method: string, { path, body }: Attempt, options: { headers: Record<string, string> }): Promise<Answer> {
  return call(method, path, { as: root, ...options, ...(body === undefined ? {} : { body }) });
}

async function look({ look: path }: Attempt): Promise<string> {
  return path === undefined ? '' : (await root.get(path)).text;
}

/** The content of an answer, without times and without the mark of a repeat. */
function contentOf({ status, headers, text }: Answer): unknown {
  const kept = [...headers].filter(([name]) => !['date', 'idempotent-replayed'].includes(name));
  return { status, text, headers: Object.fromEntries(kept) };
}
