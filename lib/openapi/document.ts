import { createDocument, type oas31, type ZodOpenApiOperationObject } from 'zod-openapi';

import packageJson from '../../package.json' with { type: 'json' };
import { groups as allGroups } from '../contract/index.ts';
import type { Group, Route } from '../contract/route.ts';
import { parametersOf, sharedParameters } from './parameters.ts';
import { type PathTemplate, toTemplates } from './paths.ts';
import { errorResponses, errorSchema, responsesOf, sharedHeaders } from './responses.ts';
import { simplify } from './simplify.ts';

const description = `
Dapple is a data catalogue that speaks the REST interface of Rucio.

A DID is the name of data: a scope and a name. A FILE is data itself, a DATASET holds files, a CONTAINER holds datasets and containers. A scope belongs to an account; an RSE is a place that stores files.

A token comes from \`GET /auth/userpass\` and is sent in the header \`X-Rucio-Auth-Token\`.

Bodies are JSON whatever their Content-Type says. Lists that can be long come as \`application/x-json-stream\`: one JSON value per line, sent while it is found; a list that breaks off was not sent in full. Integers are exact beyond 2^53.

Lists that take \`limit\` and \`cursor\` can be read in pages: with \`limit\`, the header \`Link\` leads to the next page, until there are no more rows.

Requests that write take \`Idempotency-Key\`: a repeat with the same key has no further effect and gets the first answer.

An error names its class and says what is wrong, in the body and again in the headers \`ExceptionClass\` and \`ExceptionMessage\`. Every path answers \`OPTIONS\`; \`HEAD\` is answered wherever \`GET\` is; an unknown path is a 404 \`NotFound\`, a method that a path does not have a 405 \`MethodNotAllowed\`.
`.trim();

/** The text of the document of all groups, as `GET /openapi.json` answers it. */
export function makeDocument(): string {
  return JSON.stringify(toOpenapi(allGroups, packageJson.version));
}

/**
 * Describes endpoint groups as an OpenAPI 3.1 document. Its URLs are relative, so that it is valid on every host and
 * stage.
 *
 * @param version Of the service.
 */
export function toOpenapi(groups: readonly Group[], version: string): oas31.OpenAPIObject {
  const routes = groups.flatMap((group) => Object.values<Route>(group.routes));
  const templates = toTemplates(routes);
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const group of groups) {
    for (const [id, route] of Object.entries<Route>(group.routes)) {
      const template = templates.get(route) as PathTemplate;
      const operations = (paths[template.path] ??= {});
      operations[route.method.toLowerCase()] = operationOf({ id, group, route, template });
    }
  }
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Dapple',
        version,
        description,
        license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '.', description: 'The host of this document' }],
      tags: groups.map(({ name }) => ({ name })),
      paths,
      components: {
        securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'X-Rucio-Auth-Token' } },
        schemas: { Error: errorSchema },
        headers: sharedHeaders,
        parameters: sharedParameters,
        responses: errorResponses(routes),
      },
    },
    { override: simplify, allowEmptySchema: { bigint: true, custom: true, transform: true } },
  );
  return document as oas31.OpenAPIObject;
}

interface OperationParts {
  readonly id: string;
  readonly group: Group;
  readonly route: Route;
  readonly template: PathTemplate;
}

function operationOf({ id, group, route, template }: OperationParts): ZodOpenApiOperationObject {
  const { body } = route;
  return {
    operationId: id,
    tags: [group.name],
    summary: route.summary,
    description: whoMayCall(route),
    security: securityOf(route),
    ...parametersOf(route, template),
    ...(body === undefined
      ? {}
      : {
          requestBody: { required: body.optional !== true, content: { 'application/json': { schema: body.schema } } },
        }),
    responses: responsesOf(route),
  };
}

function securityOf({ permission, token }: Route) {
  if (permission !== 'open') return [{ token: [] }];
  return token === 'optional' ? [{}, { token: [] }] : [];
}

function whoMayCall({ permission, token }: Route): string {
  if (permission === 'open') return token === 'optional' ? 'Needs no token for a small answer.' : 'Needs no token.';
  return permission === 'any' ? 'Needs a valid token.' : `Needs a token of an account that may \`${permission}\`.`;
}
