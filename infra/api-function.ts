import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

import type { Group, Route } from '../lib/contract/route.ts';
import type { CatalogTable } from './catalog-table.ts';
import type { Config } from './config.ts';
import { HouseFunction } from './house-function.ts';
import type { TokenKey } from './token-key.ts';

/** What the function of an endpoint group is made of. */
export interface ApiFunctionProps {
  readonly config: Config;
  readonly group: Group;
  readonly table: CatalogTable;
  readonly tokenKey: TokenKey;
}

/**
 * How long one answer to a reader of events may take. The platform tells nobody that a reader has left, so that the function
 * is kept, and paid for, until then.
 */
export const eventsTimeout = Duration.seconds(65);

/** The function of an endpoint group. A group whose routes only read cannot write to the table. */
export class ApiFunction extends HouseFunction {
  constructor(scope: Construct, id: string, { config, group, table, tokenKey }: ApiFunctionProps) {
    super(scope, id, {
      config,
      entry: group.name,
      description: `Dapple, endpoints ${group.prefixes.join(' ')}`,
      ...(group.name === 'events'
        ? {
            // It waits nearly all of its time, and needs some 100 MB, with a long backlog too (docs/adr/0012-events.md).
            memorySize: 256,
            timeout: shorter(config.requestTimeout, eventsTimeout),
            // What the gateway lets in at once, and again while those are being answered.
            share: 2 * config.eventReaders,
          }
        : { memorySize: 1024, timeout: config.requestTimeout }),
      environment: {
        RESPONSE_MODE: config.responseMode,
        ...(config.oidcIssuers === '' ? {} : { OIDC_ISSUERS: config.oidcIssuers }),
        ...(config.corsOrigins === '' ? {} : { CORS_ORIGINS: config.corsOrigins }),
        TOKEN_KEY_SECRET_ID: tokenKey.secretArn,
      },
    });
    const readsOnly = Object.values<Route>(group.routes).every(
      ({ method, writes }) => method === 'GET' && writes !== true,
    );
    this.bindTable(table, readsOnly ? 'read' : 'read-write');
    tokenKey.grantUse(this.lambda);
  }
}

function shorter(a: Duration, b: Duration): Duration {
  return a.toSeconds() < b.toSeconds() ? a : b;
}
