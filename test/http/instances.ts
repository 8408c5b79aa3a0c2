/** Instances of the functions on a table of their own, over a transport with injected faults. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, vi } from 'vitest';

import type * as Accounts from '../../functions/accounts.ts';
import type * as Config from '../../functions/config.ts';
import type * as Dids from '../../functions/dids.ts';
import type * as Replicas from '../../functions/replicas.ts';
import type * as Rses from '../../functions/rses.ts';
import type * as Rules from '../../functions/rules.ts';
import type * as Scopes from '../../functions/scopes.ts';
import { bootstrapRoot } from '../../lib/domain/accounts/bootstrap.ts';
import type { LambdaHandler } from '../../lib/http/handler.ts';
import type { Store } from '../../lib/store/open-store.ts';
import { gatewayEvent, lambdaContext } from '../support/event.ts';
import { type FaultyEngine, newFaultyEngine } from '../support/faulty-engine.ts';
import { newProcess } from '../support/new-process.ts';
import { ownEngine } from '../support/run.ts';
import { newTestStore } from '../support/store.ts';
import { newToken } from '../support/tokens.ts';

/** A request of root. */
export interface Sent {
  readonly group: 'accounts' | 'config' | 'dids' | 'replicas' | 'rses' | 'rules' | 'scopes';
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answer of a function. */
export interface Answer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Sends a request to an instance. */
export type Instance = (sent: Sent) => Promise<Answer>;

/** Two instances without shared caches, and their engine. */
export interface Instances {
  readonly engine: FaultyEngine;
  readonly tableName: string;
  readonly first: Instance;
  readonly second: Instance;
}

/** Opens two instances on a new table with root, the scope `data`, and the RSEs ONE and TWO, which root may fill. */
export async function openInstances(): Promise<Instances> {
  const real = await ownEngine();
  const store = await newTestStore();
  await bootstrapRoot(store, { username: 'ddmlab', password: 'secret' });
  // The server of the test run has set another mode.
  vi.stubEnv('RESPONSE_MODE', 'buffer');
  vi.stubEnv('LOG_LEVEL', 'SILENT');
  const engine = newFaultyEngine(real);
  const [first, second] = [await openInstance(engine, store), await openInstance(engine, store)];
  const made: Sent[] = [{ group: 'scopes', method: 'POST', path: '/scopes/root/data' }];
  for (const rse of ['ONE', 'TWO']) {
    made.push({ group: 'rses', method: 'POST', path: `/rses/${rse}`, body: {} });
    made.push({ group: 'accounts', method: 'POST', path: `/accounts/root/limits/local/${rse}`, body: { bytes: -1 } });
  }
  for (const sent of made) expect((await first(sent)).statusCode).toBe(201);
  return { engine, tableName: store.table.name, first, second };
}

async function openInstance({ client }: FaultyEngine, store: Store): Promise<Instance> {
  const load = newProcess(client);
  const handlers: Readonly<Record<Sent['group'], LambdaHandler>> = {
    accounts: (await load<typeof Accounts>('functions/accounts.ts')).handler,
    config: (await load<typeof Config>('functions/config.ts')).handler,
    dids: (await load<typeof Dids>('functions/dids.ts')).handler,
    replicas: (await load<typeof Replicas>('functions/replicas.ts')).handler,
    rses: (await load<typeof Rses>('functions/rses.ts')).handler,
    rules: (await load<typeof Rules>('functions/rules.ts')).handler,
    scopes: (await load<typeof Scopes>('functions/scopes.ts')).handler,
  };
  return async ({ group, method, path, body, key, headers }) => {
    const token = await newToken(store, { account: 'root', identity: 'ddmlab' });
    const event = gatewayEvent(method, path, {
      headers: { 'X-Rucio-Auth-Token': token, ...(key === undefined ? {} : { 'Idempotency-Key': key }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const handler = handlers[group] as unknown as (e: APIGatewayProxyEvent, c: object) => Promise<Answer>;
    return handler(event, lambdaContext());
  };
}
