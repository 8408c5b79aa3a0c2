/**
 * Every route with every kind of caller (spec/access.md 5, spec/replication.md 6.2, spec/dids.md 5, spec/rses.md 8). The rows say who is allowed;
 * they follow the specifications, independently of lib/policy/rights.ts. Refused callers get the refusal and change
 * nothing. The same request then succeeds for an allowed caller, which proves that it was valid.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { groups } from '../../../lib/contract/index.ts';
import type { Group, Route } from '../../../lib/contract/route.ts';
import { makeDocument } from '../../../lib/openapi/document.ts';
import { tokenKey } from '../../support/run.ts';
import { type Answer, asRoot, call } from '../../support/server.ts';
import { accountRows } from './account-rows.ts';
import { type ApiDocument, fieldsThatName } from './body-fields.ts';
import { type CallerName, callerNames } from './caller-names.ts';
import { type Callers, makeCallers } from './callers.ts';
import { didRows } from './did-rows.ts';
import { type Maker, openMaker } from './maker.ts';
import { namedRows } from './named-rows.ts';
import { otherRows } from './other-rows.ts';
import { replicaRows } from './replica-rows.ts';
import { type Attempt, may, type Row, type Rows } from './row.ts';
import { rseRows } from './rse-rows.ts';
import { ruleRows } from './rule-rows.ts';

const tables = [accountRows, didRows, rseRows, replicaRows, ruleRows, otherRows];
const rows: Rows = Object.assign({}, ...tables) as Rows;
const routes = groups.flatMap((group) => Object.keys(group.routes));

/** POST routes that only read. */
const reading = new Set(
  'getBulkMetadata listBulkFiles listDatasetLocksBulk listDatasetReplicasBulk listDidsOfPfns listReplicas'.split(' '),
);

let callers: Callers;
let make: Maker;
let cases = 0;
const unexpected: string[] = [];

beforeAll(async () => {
  callers = await makeCallers(await tokenKey());
  make = await openMaker(callers);
});

afterAll(() => {
  console.log(
    `authorization: ${routes.length} routes x ${callerNames.length} callers, ${cases} cases, ${unexpected.length} unexpected`,
  );
});

describe('who may do what', () => {
  it('has a row for every route, once', () => {
    const said = tables.flatMap((table) => Object.keys(table));
    expect(said.toSorted()).toEqual(routes.toSorted());
  });

  it('has a row for every field of a body that may name an object of another account', () => {
    const document: unknown = JSON.parse(makeDocument());
    // Administrators may name any object, and everybody may read everything.
    const matters = (field: string) => {
      const operation = field.slice(0, field.indexOf(' '));
      const all = [rows[operation] ?? []].flat();
      return !reading.has(operation) && !all.every(({ who }: Row) => who === 'admin' || who === 'root');
    };
    const fields = fieldsThatName(document as ApiDocument).filter(matters);
    expect(Object.keys(namedRows).toSorted()).toEqual(fields);
  });

  it.concurrent.each(groups)(
    '$name',
    async (group) => {
      const found: string[] = [];
      for (const { id, route, row } of rowsOf(group)) {
        for (const flaw of await flawsOf(row.method ?? route.method, row)) found.push(`${id}: ${flaw}`);
      }
      unexpected.push(...found);
      expect(found).toEqual([]);
    },
    300_000,
  );
});

function rowsOf(group: Group): { id: string; route: Route; row: Row }[] {
  return Object.entries(group.routes).flatMap(([id, route]) =>
    [rows[id] ?? [], namedRowsOf(id)].flat().map((row: Row) => ({ id, route, row })),
  );
}

/** The rows of the fields of a body. */
function namedRowsOf(id: string): Row[] {
  return Object.entries(namedRows).flatMap(([field, row]) =>
    field.startsWith(`${id} `) && typeof row !== 'string' ? [row].flat() : [],
  );
}

async function flawsOf(method: string, row: Row): Promise<string[]> {
  const allowed: readonly CallerName[] = may[row.who];
  const attempt = await row.attempt(make);
  const before = await look(attempt);
  const refused = callerNames.filter((name) => !allowed.includes(name));
  const flaws = await Promise.all(
    refused.map(async (name) => flawOfRefusal(name, row, await send(method, attempt, name))),
  );
  const after = await look(attempt);
  if (after !== before) flaws.push(`a refused request has changed ${attempt.look}: ${before} became ${after}`);
  for (const [index, name] of allowed.entries()) {
    // The first success proves that the request was valid; after a change the other callers need a new request.
    const own = index === 0 || method === 'GET' ? attempt : await row.attempt(make);
    flaws.push(flawOfSuccess(name, row, await send(method, own, name)));
  }
  return flaws.filter((flaw) => flaw !== '');
}

async function look(attempt: Attempt): Promise<string> {
  return attempt.look === undefined ? '' : (await asRoot().get(attempt.look)).text;
}

function send(method: string, { path, body, headers }: Attempt, name: CallerName): Promise<Answer> {
  cases += 1;
  const token = callers.tokens[name];
  return call(method, path, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers }),
  });
}

const withoutGoodToken = new Set<CallerName>(['anonymous', 'suspended', 'expired', 'tampered']);

/** Callers without a valid token learn nothing else. */
function flawOfRefusal(name: CallerName, { refusal, withoutToken }: Row, answer: Answer): string {
  const expected =
    name === 'anonymous' && withoutToken !== undefined
      ? withoutToken
      : withoutGoodToken.has(name)
        ? '401 CannotAuthenticate'
        : (refusal ?? '401 AccessDenied');
  const got = `${answer.status} ${answer.headers.get('ExceptionClass')}`;
  return got === expected ? '' : `${name} should get ${expected}, but got ${describeAnswer(answer)}`;
}

function flawOfSuccess(name: CallerName, { status }: Row, answer: Answer): string {
  const isRight = status === undefined ? answer.status < 400 : answer.status === status;
  return isRight ? '' : `${name} may and should get ${status ?? 'a success'}, but got ${describeAnswer(answer)}`;
}

const describeAnswer = ({ status, text }: Answer) => `${status} ${text.slice(0, 200)}`;
