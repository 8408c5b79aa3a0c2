import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';

import { groups } from '../../lib/contract/index.ts';
import type { Route } from '../../lib/contract/route.ts';
import { toOpenapi } from '../../lib/openapi/document.ts';
import { errorsOf } from '../../lib/openapi/errors.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { baseUrl } from '../support/run.ts';
import { call } from '../support/server.ts';

const document = JSON.parse(JSON.stringify(toOpenapi(groups, packageJson.version))) as OpenapiDocument;
const routes: [string, Route][] = groups.flatMap((group) => Object.entries<Route>(group.routes));

interface OpenapiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly security: unknown[];
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Schema {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const operations = new Map(
  Object.values(document.paths).flatMap((item) =>
    Object.values(item).map((operation) => [operation.operationId, operation] as const),
  ),
);

describe('the OpenAPI document', () => {
  it('matches the schema of OpenAPI 3.1', async () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(await new Validator().validate(structuredClone({ ...document }))).toEqual({ valid: true });
  });

  it('has an operation for every route and no other', () => {
    expect([...operations.keys()].toSorted()).toEqual(routes.map(([id]) => id).toSorted());
  });

  it('limits every RSE expression of a request in the same way', () => {
    const limits: [string, unknown][] = [];
    const visit = (value: unknown, at: string): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, member] of Object.entries(value)) {
        if (key === 'responses') continue;
        if (/^(rse_|exclude_)?expression$|^(src|dst)_rse$/.test(key)) limits.push([at, limitOf(member)]);
        visit(member, `${at}/${key}`);
      }
    };
    const limitOf = (schema: { maxLength?: number; anyOf?: object[] }): unknown =>
      schema.maxLength ?? (schema.anyOf ?? []).map((one) => limitOf(one)).find((limit) => limit !== undefined);
    visit(document.paths, '');
    for (const [path, item] of Object.entries<
      Record<string, { parameters?: { in: string; name: string; schema: object }[] }>
    >(document.paths as never)) {
      for (const { name, schema, ...rest } of Object.values(item).flatMap(({ parameters = [] }) => parameters))
        if (rest.in === 'query' && /expression$|^(src|dst)_rse$/.test(name))
          limits.push([`${path} ${name}`, limitOf(schema)]);
    }
    expect(limits.length).toBeGreaterThan(8);
    // Filters of rules compare texts, the metrics take names of RSEs, and a subscription limits the text of all its rules.
    const others = /^\/rules |^\/requests\/metrics |^\/\/subscriptions\//;
    expect(limits.filter(([at, limit]) => limit !== 3_000 && !others.test(at))).toEqual([]);
  });

  it('names exactly the parameters in a path', () => {
    for (const [path, item] of Object.entries<Record<string, { parameters?: { in: string; name: string }[] }>>(
      document.paths as never,
    )) {
      for (const { parameters = [] } of Object.values(item)) {
        const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
        expect(names).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      }
    }
  });

  it.each(routes)('requires a token exactly where %s does', (id, { permission, token }) => {
    const optional = token === 'optional' ? [{}, { token: [] }] : [];
    expect(operations.get(id)?.security).toEqual(permission === 'open' ? optional : [{ token: [] }]);
  });

  it.each(routes)('lists every error that %s declares', (id, route) => {
    for (const { name, status } of errorsOf(route)) {
      expect(operations.get(id)?.responses[status]?.$ref).toMatch(
        new RegExp(`^#/components/responses/${status}-(\\w+-)*${name}(-\\w+)*$`),
      );
    }
  });
});

describe('states', () => {
  const described = JSON.stringify(document).split('"x-enumDescriptions":').slice(1);

  it('are explained where a body or an answer has them', () => {
    const schema = document.paths['/rules/{rule_id}']?.['get']?.responses['200']?.content?.['application/json']?.schema;
    expect(schema?.properties['state']?.['x-enumDescriptions']).toMatchObject({ OK: 'All copies are there.' });
    expect(described.length).toBeGreaterThan(50);
  });

  it('have a meaning for each value', () => {
    for (const text of described) expect(text.slice(0, text.indexOf('}'))).not.toContain('""');
  });
});

describe('GET /openapi.json', () => {
  it('answers the document to everybody', async () => {
    const answer = await call('GET', '/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(answer.json()).toEqual(document);
  });

  it('is compressed, and is not sent again to whoever has it', async () => {
    const url = `${await baseUrl()}/openapi.json`;
    const packed = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(packed.headers.get('Content-Encoding')).toBe('gzip');
    expect(await packed.json()).toEqual(document);
    const again = await fetch(url, { headers: { 'If-None-Match': packed.headers.get('ETag') ?? '' } });
    expect(again.status).toBe(304);
  });
});

describe('GET /docs', () => {
  it('is a page under the policy of the catalogue, and names files that are there for good', async () => {
    const answer = await call('GET', '/docs');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('Content-Security-Policy')).toContain("script-src 'self'; style-src 'self'");
    expect(answer.headers.get('Content-Security-Policy')).not.toContain('unsafe');
    const files = [...answer.text.matchAll(/(?:src|href)="([\w-]+\.\w+)"/g)].map(([, file]) => file);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const got = await call('GET', `/docs/${file}`);
      expect(got.status).toBe(200);
      expect(got.headers.get('Cache-Control')).toContain('immutable');
    }
    expect((await call('GET', '/docs/none.js')).status).toBe(404);
  });
});
