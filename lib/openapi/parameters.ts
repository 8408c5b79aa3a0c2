import type { oas31, ZodOpenApiOperationObject } from 'zod-openapi';
import * as z from 'zod/mini';

import { queryOf } from '../contract/query.ts';
import type { Route } from '../contract/route.ts';
import type { PathTemplate } from './paths.ts';

const descriptions: Readonly<Record<string, string>> = {
  guid: 'GUID of a file, with or without hyphens',
  identity: 'Identity, such as a username',
  name: 'Name of the DID; slashes may stand as they are or as `%2F`',
  type: 'Type of the identity: X509, GSS, USERPASS, SSH, SAML or OIDC, in any case',
};

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
    ...(takesAnyKey(route) ? { parameters: [anyOtherKey] } : {}),
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
