import type { IncomingMessage, RequestListener } from 'node:http';

import { fitsHash } from '../lib/domain/identities/password.ts';
import { getIdentities, hasPassword, listIdentitiesOf } from '../lib/store/entities/identity.ts';
import { openStore } from '../lib/store/open-store.ts';
import { isLoopback } from './caller.ts';
import type { LocalEngine } from './open-engine.ts';

/** The password of root that the documents name. */
const documentedPassword = 'secret';

/**
 * Refuses to serve other machines while everybody knows how to log in as root: no user of root has the documented password.
 *
 * @throws Error with the remedy.
 */
export async function requireOwnPassword(engine: LocalEngine, tableName: string): Promise<void> {
  const { table } = openStore({ tableName, ...engine.client });
  const users = (await Array.fromAsync(listIdentitiesOf(table, 'root'))).filter(hasPassword);
  for (const { identity, password } of await getIdentities(table, users)) {
    if (password !== undefined && (await fitsHash(documentedPassword, password))) refuse(identity);
  }
}

function refuse(user: string): never {
  throw new Error(
    `The user ${user} has the documented password, and other machines are served. For a new catalogue set ROOT_PASSWORD; ` +
      'for this one run `npm run passwd`.',
  );
}

/** Answers requests of this machine by one listener, and those of others, or that a proxy has passed on, by another. */
export function byOrigin(own: RequestListener, foreign: RequestListener): RequestListener {
  return (request, response) => (isOwn(request) ? own : foreign)(request, response);
}

function isOwn({ socket: { remoteAddress }, headers }: IncomingMessage): boolean {
  const isForwarded = Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'));
  return isLoopback(remoteAddress) && !isForwarded;
}
