import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

import { type Group, hasLongAnswers, type Route } from '../lib/contract/route.ts';
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
  /** Whether it streams: groups whose answers are short do not. */
  readonly responseMode: Config['responseMode'];
  /** The time limit of its requests. */
  readonly timeout: Duration;

  constructor(
    scope: Construct,
    id: string,
    { config, group, table, tokenKey, oidcClients, rseCredentials }: ApiFunctionProps,
  ) {
    const responseMode = config.responseMode === 'stream' && hasLongAnswers(group) ? 'stream' : 'buffer';
    const timeout = config.requestTimeouts[responseMode];
    super(scope, id, {
      config,
      entry: group.name,
      description: `Dapple, endpoints ${group.prefixes.join(' ')}`,
      ...(group.name === 'events'
        ? {
            // It mostly waits, and needs about 100 MB even with a long backlog (docs/adr/0012-events.md).
            memorySize: 256,
            timeout: shorter(timeout, eventsTimeout),
            // Twice the admitted readers: new ones connect while the answers to the previous ones still run.
            share: 2 * config.eventReaders,
          }
        : { memorySize: 1024, timeout }),
      environment: {
        RESPONSE_MODE: responseMode,
        ...(responseMode === 'stream' ? streamSettings(config) : {}),
        ...(config.basePath === '' ? {} : { BASE_PATH: config.basePath }),
        ...(config.requestMetrics === 'on' ? { REQUEST_METRICS: 'on' } : {}),
        ...(group.name === 'events' ? { EVENT_READERS: String(config.eventReaders) } : {}),
        ...(config.oidcIssuers === '' ? {} : { OIDC_ISSUERS: config.oidcIssuers }),
        ...(config.corsOrigins === '' ? {} : { CORS_ORIGINS: config.corsOrigins }),
        ...(tokenKey === undefined ? {} : { TOKEN_KEY_SECRET_ID: tokenKey.secretArn }),
        ...(oidcClients === undefined ? {} : { OIDC_CLIENTS_SECRET_ID: oidcClients.secretArn }),
        ...(rseCredentials === undefined ? {} : { RSE_CREDENTIALS_SECRET_ID: rseCredentials.secretArn }),
      },
    });
    this.responseMode = responseMode;
    this.timeout = timeout;
    this.bindTable(table, accessOf(group));
    tokenKey?.grantUse(this.lambda);
    oidcClients?.grantUse(this.lambda);
    rseCredentials?.grantUse(this.lambda);
  }
}

function streamSettings(config: Config): Readonly<Record<string, string>> {
  return { EMPTY_STREAMS: config.emptyStreams, COMPRESSION: config.compression, STREAM_MARK: config.streamMark };
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
