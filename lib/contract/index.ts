import { accounts } from './accounts.ts';
import { archives } from './archives.ts';
import { auth } from './auth.ts';
import { browser } from './browser.ts';
import { config } from './config.ts';
import { credentials } from './credentials.ts';
import { dids } from './dids.ts';
import { dirac } from './dirac.ts';
import { events } from './events.ts';
import { fleet } from './fleet.ts';
import { identities } from './identities.ts';
import { lifetimeExceptions } from './lifetime-exceptions.ts';
import { locks } from './locks.ts';
import { metaConventions } from './meta-conventions.ts';
import { openapi } from './openapi.ts';
import { opendata } from './opendata.ts';
import { ping } from './ping.ts';
import { replicas } from './replicas.ts';
import { requests } from './requests.ts';
import type { Group } from './route.ts';
import { rses } from './rses.ts';
import { rules } from './rules.ts';
import { scopes } from './scopes.ts';
import { subscriptions } from './subscriptions.ts';

/** Every endpoint group. The stack, the local server and the contract tests are derived from this list. */
export const groups: readonly Group[] = [
  accounts,
  archives,
  auth,
  browser,
  config,
  credentials,
  dids,
  dirac,
  events,
  fleet,
  identities,
  lifetimeExceptions,
  locks,
  metaConventions,
  opendata,
  openapi,
  ping,
  replicas,
  requests,
  rses,
  rules,
  scopes,
  subscriptions,
];
