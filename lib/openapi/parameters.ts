import type { oas31, ZodOpenApiOperationObject } from 'zod-openapi';
import * as z from 'zod/mini';

import { keyDescription, longestKey, takesKey } from '../contract/idempotency.ts';
import { hasTag, takesIfMatch } from '../contract/preconditions.ts';
import { queryOf } from '../contract/query.ts';
import type { Route } from '../contract/route.ts';
import type { PathTemplate } from './paths.ts';

const descriptions: Readonly<Record<string, string>> = {
  guid: 'GUID of a file, with or without hyphens',
  identity: 'Identity, such as a username',
  name: 'Name of the DID; slashes may stand as they are or as `%2F`',
  type: 'Type of the identity: X509, GSS, USERPASS, SSH, SAML or OIDC, in any case',
};

interface SharedHeader {
  readonly isOf: (route: Route) => boolean;
  readonly description: string;
  readonly schema: oas31.SchemaObject;
}

/** The headers that all routes of a kind take. */
const shared: Readonly<Record<string, SharedHeader>> = {
  'Idempotency-Key': {
    isOf: takesKey,
    description: keyDescription,
    schema: { type: 'string', minLength: 1, maxLength: longestKey + 2 },
  },
  'If-Match': {
    isOf: takesIfMatch,
    description: 'An `ETag` as it was read: the request takes effect only while that holds',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    isOf: hasTag,
    description: 'An `ETag` as it was read: while that holds the answer is 304 without a body',
    schema: { type: 'string' },
  },
};

/** The parameters of many routes, by the names that the routes refer to them by. */
export const sharedParameters: Record<string, oas31.ParameterObject> = Object.fromEntries(
  Object.entries(shared).map(([name, { description, schema }]) => [name, { name, in: 'header', description, schema }]),
);

type Parameters = Pick<ZodOpenApiOperationObject, 'requestParams' | 'parameters'>;

/** The parameters of a route: in its path, its query and its headers. */
export function parametersOf(route: Route, { names }: PathTemplate): Parameters {
  const query = queryOf(route);
  const path = Object.fromEntries(names.map((name) => [name, pathParameter(name)]));
  return {
    requestParams: {
      ...(names.length === 0 ? {} : { path: z.object(path) }),
      ...(query === undefined ? {} : { query }),
      ...(route.headers === undefined ? {} : { header: route.headers }),
    },
    parameters: [
      ...(takesAnyKey(route) ? [anyOtherKey] : []),
      ...Object.entries(shared).flatMap(([name, { isOf }]) =>
        isOf(route) ? [{ $ref: `#/components/parameters/${name}` } as const] : [],
      ),
    ],
  };
}

function pathParameter(name: string): z.ZodMiniType {
  const description = descriptions[name];
  return description === undefined ? z.string() : z.string().check(z.meta({ description }));
}

function takesAnyKey({ query }: Route): boolean {
  const rest = query?.def.catchall;
  return rest !== undefined && rest._zod.def.type !== 'never';
}

/** OpenAPI's way to say that the query may hold any other key. */
const anyOtherKey: oas31.ParameterObject = {
  name: 'attributes',
  in: 'query',
  description: 'Every other key: an attribute and the value that it must have',
  style: 'form',
  explode: true,
  schema: { type: 'object', additionalProperties: { type: 'string' } },
};
