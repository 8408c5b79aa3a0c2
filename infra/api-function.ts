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

/** The function of an endpoint group. A group whose routes only read cannot write to the table. */
export class ApiFunction extends HouseFunction {
  constructor(scope: Construct, id: string, { config, group, table, tokenKey }: ApiFunctionProps) {
    super(scope, id, {
      config,
      entry: group.name,
      description: `Dapple, endpoints ${group.prefixes.join(' ')}`,
      memorySize: 1024,
      timeout: config.requestTimeout,
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
