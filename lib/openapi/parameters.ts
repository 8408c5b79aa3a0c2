import type { oas31, ZodOpenApiOperationObject } from 'zod-openapi';
import * as z from 'zod/mini';

import { keyDescription, maxKeyCharacters, acceptsIdempotencyKey } from '../contract/idempotency.ts';
import { hasTag, acceptsIfMatch } from '../contract/preconditions.ts';
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

/** The headers that every route of a kind accepts. */
const shared: Readonly<Record<string, SharedHeader>> = {
  'Idempotency-Key': {
    isOf: acceptsIdempotencyKey,
    description: keyDescription,
    schema: { type: 'string', minLength: 1, maxLength: maxKeyCharacters + 2 },
  },
  'If-Match': {
    isOf: acceptsIfMatch,
    description: 'An `ETag`: the request takes effect only if the resource still has it',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    isOf: hasTag,
    description: 'An `ETag`: if the resource still has it, the answer is 304 without a body',
    schema: { type: 'string' },
  },
};

/** Parameters of several routes, by the names under which routes refer to them. */
export const sharedParameters: Record<string, oas31.ParameterObject> = Object.fromEntries(
  Object.entries(shared).map(([name, { description, schema }]) => [name, { name, in: 'header', description, schema }]),
);

type Parameters = Pick<ZodOpenApiOperationObject, 'requestParams' | 'parameters'>;

/** The parameters of a route: path, query and headers. */
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

/** OpenAPI's notation for a query with any other keys. */
const anyOtherKey: oas31.ParameterObject = {
  name: 'attributes',
  in: 'query',
  description: 'Every other key: an attribute and its required value',
  style: 'form',
  explode: true,
  schema: { type: 'object', additionalProperties: { type: 'string' } },
};
