import fc from 'fast-check';

import { queryOf } from '../../../lib/contract/query.ts';
import type { BodyDeclaration, Route } from '../../../lib/contract/route.ts';
import { toJson } from '../../../lib/json.ts';
import { toTemplate } from '../../../lib/openapi/paths.ts';
import { inputOf } from '../../../lib/openapi/simplify.ts';
import { nearly } from './nearly.ts';
import { anyText, anyValue, type Schema, valueOf, type Words, wordsFor } from './values.ts';

/** A request as sent. */
export interface GeneratedRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The material of requests. */
export interface Material {
  readonly words: Words;
  /** Valid tokens, that of root first. */
  readonly tokens: readonly string[];
}

/** Requests to a route: valid, nearly valid and nonsensical, with existing and unknown names. */
export function requestsTo(route: Route, { words, tokens }: Material): fc.Arbitrary<GeneratedRequest> {
  return fc
    .record({
      path: pathOf(route, words),
      query: queryTo(route, words),
      headers: headersOf(route, words),
      accept: acceptOf(route),
      token: tokenOf(tokens),
      body: route.body === undefined ? fc.constant(undefined) : bodyOf(route.body, words),
    })
    .map(({ path, query, headers, accept, token, body }) => ({
      method: route.method,
      target: path + (route.answer.kind === 'events' ? ending(query) : query),
      headers: {
        ...(accept === undefined ? {} : { Accept: accept }),
        ...(token === undefined ? {} : { 'X-Rucio-Auth-Token': token }),
        ...headers,
      },
      body,
    }))
    .filter(
      (request) => request.target.length < maxTargetCharacters && !deletesAccounts(request) && !leasesAll(request),
    );
}

/** Reads stored events only: an answer that waits for more never ends. */
function ending(query: string): string {
  return `?follow=false&${query.slice(1)}`;
}

/** An import with accounts deletes all others, including those of other tests. */
function deletesAccounts({ target, body }: GeneratedRequest): boolean {
  if (!/^\/import\b/.test(target) || body?.includes('"accounts"') !== true) return false;
  try {
    const { accounts } = JSON.parse(body) as { accounts?: unknown };
    return Array.isArray(accounts) && accounts.length > 0;
  } catch {
    return false;
  }
}

/** A lease of transfers to all RSEs takes those of other tests. */
function leasesAll({ target, body }: GeneratedRequest): boolean {
  return /^\/requests\/lease\b/.test(target) && body?.includes('*') === true;
}

/** Node rejects longer ones, as the gateway does. */
const maxTargetCharacters = 6000;

const brokenEncodings = [
  '%',
  '%zz',
  '%E0%A4',
  '%C3%28',
  '%00',
  '%2e%2e',
  '%2F',
  '%2F%2F',
  '..',
  'a%2Fb',
  '~',
  '+',
  ';',
];

function pathOf(route: Route, words: Words): fc.Arbitrary<string> {
  const { path, names } = toTemplate(route);
  const last = names.findLast((name) => path.endsWith(`{${name}}`));
  // Routes that delete get new names, since other requests need the existing things; routes that create mostly do.
  const known = (name: string) =>
    (route.method === 'PUT' || route.method === 'DELETE') && name === last && `doomed ${name}` in words
      ? wordsFor(words, `doomed ${name}`)
      : wordsFor(words, name);
  const segment = (name: string) =>
    fc.oneof(
      { weight: 14, arbitrary: fc.constantFrom(name, ...known(name)).map((word) => encode(String(word))) },
      { weight: route.method === 'POST' && name === last ? 14 : 3, arbitrary: freshName },
      { weight: 1, arbitrary: anyText.filter((text) => text !== '').map(encode) },
      { weight: 1, arbitrary: fc.constantFrom(...brokenEncodings) },
    );
  const examples = wordsFor(words, `path ${route.path}`).map(String);
  const segments = fc.tuple(...names.map(segment), fc.boolean());
  const generated = segments.map((values) => {
    const spelling = values.at(-1) === true ? /%2F/gi : /$^/g;
    return names.reduce(
      (filled, name, index) =>
        filled.replace(`{${name}}`, () => String(values[index]).replaceAll(name === 'name' ? spelling : /$^/g, '/')),
      path,
    );
  });
  return examples.length === 0 ? generated : fc.oneof(generated, fc.constantFrom(...examples));
}

const freshName = fc.stringMatching(/^([a-z0-9][a-z0-9_-]{0,20}|[A-Z0-9]{2,12})$/);
const encode = (text: string) => encodeURIComponent(text.toWellFormed());

function queryTo(route: Route, words: Words): fc.Arbitrary<string> {
  const query = queryOf(route);
  const fitting = query === undefined ? fc.constant({}) : valueOf(inputOf(query) as Schema, words);
  const object = fc.oneof({ weight: 3, arbitrary: fitting }, { weight: 1, arbitrary: nearly(fitting) });
  const free = fc.constantFrom('', '?', '?%', '?a', '?=', '?&&', '?dynamic', '?a=1&a=2', '?__proto__=1');
  const encoded = object.map((value) => {
    const pairs = Object.entries(value as object).flatMap(([key, text]) =>
      (Array.isArray(text) ? text : [text]).map((one) => `${encode(key)}=${encode(asText(one))}`),
    );
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  });
  const known = fc.oneof({ weight: 9, arbitrary: encoded }, { weight: 1, arbitrary: free });
  const examples = wordsFor(words, `query ${route.path}`).map(String);
  return examples.length === 0 ? known : fc.oneof(known, fc.constantFrom(...examples));
}

const asText = (value: unknown) => (typeof value === 'string' ? value : toJson(value));

function headersOf({ headers }: Route, words: Words): fc.Arbitrary<Record<string, string>> {
  if (headers === undefined) return fc.constant({});
  const fitting = valueOf(inputOf(headers) as Schema, words);
  return fc.oneof({ weight: 3, arbitrary: fitting }, { weight: 1, arbitrary: nearly(fitting) }).map((value) =>
    Object.fromEntries(
      Object.entries(value as object)
        .map(([name, text]) => [name, asText(text).replaceAll(/[^\u0020-\u007e\u00a0-\u00ff]/g, '')] as const)
        .filter(([name]) => /^(X|Last)-[\w-]+$/.test(name)),
    ),
  );
}

function acceptOf({ accept }: Route): fc.Arbitrary<string | undefined> {
  const others = ['*/*', 'application/json', 'application/x-json-stream', 'text/html;q=0.5, */*;q=0.1', 'x', ',;/'];
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...[accept].flat()) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, ...others) },
  );
}

function tokenOf([root, ...others]: readonly string[]): fc.Arbitrary<string | undefined> {
  return fc.oneof(
    { weight: 17, arbitrary: fc.constant(root) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, '', 'x', `${root}x`, 'a.b.c', 'e30.e30.e30') },
  );
}

const brokenBodies = [
  '',
  ' ',
  '\u0000',
  ...`{ [ null 0 "text" [] {} [[]] [{}] [null] {"a":1,} {'a':1} a=1&b=2 {"a":1e999} {"a":"\\ud800"}`.split(' '),
  '\ufeff{}',
  '{"__proto__":{"scope":"a"}}',
  '[{"scope":null}]',
  `${'['.repeat(40)}${']'.repeat(40)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  `[${'9'.repeat(400)}]`,
];

function bodyOf({ schema, name }: BodyDeclaration, words: Words): fc.Arbitrary<string> {
  const examples = wordsFor(words, `body ${name}`);
  const generated = valueOf(inputOf(schema) as Schema, words);
  const fitting = examples.length === 0 ? generated : fc.oneof(generated, fc.constantFrom(...examples));
  return fc.oneof(
    { weight: 12, arbitrary: fitting.map(toJson) },
    { weight: 6, arbitrary: nearly(fitting).map(toJson) },
    { weight: 1, arbitrary: anyValue.map(toJson) },
    { weight: 1, arbitrary: fc.constantFrom(...brokenBodies) },
  );
}
