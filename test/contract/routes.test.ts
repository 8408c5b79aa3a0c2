import { describe, expect, it } from 'vitest';

import { groups } from '../../lib/contract/index.ts';
import type { Route } from '../../lib/contract/route.ts';
import { denials } from '../../lib/domain/permission/denials.ts';
import { createRouter, type Match } from '../../lib/http/router.ts';
import { validate } from '../../lib/http/validate.ts';
import { errorsOf } from '../../lib/openapi/errors.ts';
import { interfaceDocument } from './interface-document.ts';

/** Valid values for the parameters of a path. */
const examples: Readonly<Record<string, string>> = { scope: 'data', name: 'raw.0001', account: 'root', nbfiles: '5' };

const routers = groups.map(createRouter);

function find(method: string, path: string): Match | undefined {
  const real = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => examples[name] ?? 'x1');
  const matches = routers.flatMap((router) => {
    try {
      return router(method, real);
    } catch {
      return [];
    }
  });
  expect(matches.length, `${method} ${path} belongs to one group`).toBeLessThan(2);
  return matches[0];
}

/** The document's path in the contract's notation, parameters without names. */
const shape = (path: string) =>
  path
    .replace(/\/$/, '')
    .replaceAll(/\*\*:scope_name/g, '*/*')
    .replaceAll(/\{\w+\}|:\w+/g, '*');

const routes: [string, Route][] = groups.flatMap((group) => Object.entries<Route>(group.routes));

/** Bodies of DIDs with a key that free metadata cannot have. `JSON.parse` makes it an ordinary key; a literal would not. */
const bodiesWithProto = [
  '{"__proto__":1}',
  '{"meta":{"__proto__":1}}',
  '[DID]',
  '{"dids":[DID]}',
  '{"files":[DID],"rse":"DISK"}',
  '{"lfns":[DID],"rse":"DISK"}',
  '[{"scope":"mock","name":"a","type":"DATASET","dids":[DID]}]',
  '{"attachments":[{"scope":"mock","name":"a","dids":[DID]}]}',
].map(
  (text) =>
    JSON.parse(
      text.replace('DID', '{"scope":"mock","name":"b","bytes":1,"type":"DATASET","meta":{"__proto__":1}}'),
    ) as unknown,
);

describe('the contract against the interface document (interface 4)', () => {
  const served = ({ method, path }: { method: string; path: string }) => {
    const match = find(method, path);
    return match !== undefined && shape(match.route.path) === shape(path);
  };

  it('serves every endpoint of it', () => {
    const missing = interfaceDocument
      .filter((endpoint) => !served(endpoint))
      .map(({ method, path }) => `${method} ${path}`);
    expect(missing).toEqual([]);
  });
});

describe('every route of the contract', () => {
  it('has an operation id of its own', () => {
    const ids = routes.map(([id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it.each(routes)('%s declares who may call it', (_id, { permission }) => {
    expect(['open', 'any', ...Object.keys(denials)]).toContain(permission);
  });

  it.each(routes.filter(([, { body }]) => body !== undefined))(
    '%s declares the exceptions by which its body is refused',
    (_id, route) => {
      const declared = errorsOf(route).map(({ name }) => name as string);
      for (const body of bodiesWithProto) {
        try {
          validate(route.body?.schema as never, body, route.body?.name ?? '');
        } catch (error) {
          expect(declared, JSON.stringify(body)).toContain((error as Error).name);
        }
      }
    },
  );

  it.each(routes)('%s is below a prefix of its group', (_id, route) => {
    const group = groups.find(({ routes: own }) => Object.values<Route>(own).includes(route));
    expect(group?.prefixes.some((prefix) => route.path === prefix || route.path.startsWith(`${prefix}/`))).toBe(true);
  });

  it.each(routes)('%s is found under its own path', (id, { method, path }) => {
    const real = path
      .replaceAll('**:scope_name', 'data/raw.0001')
      .replaceAll(/:(\w+)/g, (_whole, name: string) => examples[name] ?? 'x1');
    expect(find(method, real)?.id).toBe(id);
  });

  it.each(routes.filter(([, { permission }]) => permission !== 'open' && permission !== 'any'))(
    '%s can be denied',
    (id, { errors }) => {
      // As in Rucio (spec/access.md 5.1).
      expect(errors?.AccessDenied).toBe(id === 'quarantineReplicas' ? 403 : 401);
    },
  );
});
