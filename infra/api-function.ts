import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

import type { Group, Route } from '../lib/contract/route.ts';
import type { CatalogTable, TableAccess } from './catalog-table.ts';
import type { Config } from './config.ts';
import { DappleFunction } from './dapple-function.ts';
import type { OidcClientsSecret } from './oidc-clients.ts';
import type { RseCredentialsSecret } from './rse-credentials.ts';
import type { TokenKey } from './token-key.ts';

/** The properties of an endpoint group's function. */
export interface ApiFunctionProps {
  readonly config: Config;
  readonly group: Group;
  readonly table: CatalogTable;
  /** Given to the functions that use it. */
  readonly tokenKey?: TokenKey;
  /** Given to the function of log-ins. */
  readonly oidcClients?: OidcClientsSecret;
  /** Given to the functions that sign URLs. */
  readonly rseCredentials?: RseCredentialsSecret;
}

/**
 * The longest answer to a reader of events. The platform does not report a disconnect, so the function runs, and is
 * paid for, until then.
 */
const eventsTimeout = Duration.seconds(65);

/** The function of an endpoint group. If all routes of the group only read, it has no write access to the table. */
export class ApiFunction extends DappleFunction {
  constructor(
    scope: Construct,
    id: string,
    { config, group, table, tokenKey, oidcClients, rseCredentials }: ApiFunctionProps,
  ) {
    super(scope, id, {
      config,
      entry: group.name,
      description: `Dapple, endpoints ${group.prefixes.join(' ')}`,
      ...(group.name === 'events'
        ? {
            // It mostly waits, and needs about 100 MB even with a long backlog (docs/adr/0012-events.md).
            memorySize: 256,
            timeout: shorter(config.requestTimeout, eventsTimeout),
            // Twice the admitted readers: new ones connect while the answers to the previous ones still run.
            share: 2 * config.eventReaders,
          }
        : { memorySize: 1024, timeout: config.requestTimeout }),
      environment: {
        RESPONSE_MODE: config.responseMode,
        ...(group.name === 'events' ? { EVENT_READERS: String(config.eventReaders) } : {}),
        ...(config.oidcIssuers === '' ? {} : { OIDC_ISSUERS: config.oidcIssuers }),
        ...(config.corsOrigins === '' ? {} : { CORS_ORIGINS: config.corsOrigins }),
        ...(tokenKey === undefined ? {} : { TOKEN_KEY_SECRET_ID: tokenKey.secretArn }),
        ...(oidcClients === undefined ? {} : { OIDC_CLIENTS_SECRET_ID: oidcClients.secretArn }),
        ...(rseCredentials === undefined ? {} : { RSE_CREDENTIALS_SECRET_ID: rseCredentials.secretArn }),
      },
    });
    this.bindTable(table, accessOf(group));
    tokenKey?.grantUse(this.lambda);
    oidcClients?.grantUse(this.lambda);
    rseCredentials?.grantUse(this.lambda);
  }
}

/** Readers of events are counted; other routes that write may write anything. */
function accessOf({ name, routes }: Group): TableAccess {
  const readsOnly = Object.values<Route>(routes).every(({ method, writes }) => method === 'GET' && writes !== true);
  if (readsOnly) return 'read';
  return name === 'events' ? 'count' : 'read-write';
}

function shorter(a: Duration, b: Duration): Duration {
  return a.toSeconds() < b.toSeconds() ? a : b;
}
