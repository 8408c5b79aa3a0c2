import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';

import { groups } from '../../lib/contract/index.ts';
import { queryOf } from '../../lib/contract/query.ts';
import type { Route } from '../../lib/contract/route.ts';
import { toOpenapi } from '../../lib/openapi/document.ts';

const routes: [string, Route][] = groups.flatMap((group) => Object.entries<Route>(group.routes));

/** Lists without pages, and why. */
const whole: Readonly<Record<string, string>> = {
  getDistance: 'one row',
  getDistanceByAttribute: 'one row',
  getRequestMetrics: 'a row for each pair of RSEs',
  getReplicas: 'its `limit` is the number of PFNs of a file',
  listDatasetReplicas: 'a row for each RSE, counted over all files of the dataset',
  listDatasetReplicasVp: 'there are none',
  listHeartbeats: 'a few processes of a day',
  listDatasetsPerRse: 'counted over all files of each dataset',
  listQosPolicies: 'a few words on one item',
  listProtocols: 'what one item holds',
  listSuspiciousReplicas: 'counted over the whole log',
  listRequestsHistory: 'its `offset` and `limit` are those of Rucio',
  redirectToMetalink: 'one document',
  summariseBadReplicas: 'counted over the whole log',
};

const isList = ({ method, answer }: Route) =>
  method === 'GET' &&
  (answer.kind === 'stream' || answer.kind === 'listing' || (answer.kind === 'json' && isArray(answer.schema)));
const isArray = (schema: z.ZodMiniType) => schema.def.type === 'array';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses: Readonly<Record<string, { readonly headers?: Readonly<Record<string, unknown>> }>>;
}

const operations = Object.values<Record<string, Operation>>(toOpenapi(groups, '').paths as never).flatMap((item) =>
  Object.values(item),
);

describe('lists', () => {
  it.each(routes.filter(([, route]) => isList(route)))('%s comes in pages, or says why not', (id, { pages }) => {
    expect(pages === undefined).toBe(Object.hasOwn(whole, id));
  });

  it.each(routes.filter(([, { pages }]) => pages !== undefined))(
    '%s is a list, and no cursor goes to a body',
    (_id, route) => {
      expect(isList(route)).toBe(true);
      expect(route.body).toBeUndefined();
      expect(Object.keys(queryOf(route)?.shape ?? {})).toEqual(expect.arrayContaining(['limit', 'cursor']));
    },
  );

  it('are documented with their parameters and their link exactly if they have pages', () => {
    for (const { operationId, parameters = [], responses } of operations) {
      const route = new Map(routes).get(operationId);
      const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      const paged = route?.pages !== undefined;
      expect([operationId, names.includes('cursor'), 'Link' in (responses['200']?.headers ?? {})]).toEqual([
        operationId,
        paged,
        paged,
      ]);
    }
  });
});
