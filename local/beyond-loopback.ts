import type { IncomingMessage, RequestListener } from 'node:http';

import { fitsHash } from '../lib/domain/identities/password.ts';
import { getIdentities, hasPassword, listIdentitiesOf } from '../lib/store/entities/identity.ts';
import { openStore } from '../lib/store/open-store.ts';
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
    `The user ${user} has the documented password, and --host serves other machines. For a new catalogue set ROOT_PASSWORD; ` +
      'for this one run `npm run passwd`.',
  );
}

const isLoopback = ({ socket: { remoteAddress = '' } }: IncomingMessage) =>
  /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/.test(remoteAddress);

/** Answers requests of this machine by one listener, and those of others by another. */
export function byOrigin(own: RequestListener, foreign: RequestListener): RequestListener {
  return (request, response) => (isLoopback(request) ? own : foreign)(request, response);
}
