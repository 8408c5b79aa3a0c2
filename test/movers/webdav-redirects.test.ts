import { afterEach, describe, expect, it } from 'vitest';

import type { CopyPlace } from '../../lib/movers/mover.ts';
import { mayRedirect } from '../../lib/movers/webdav/webdav-place.ts';
import {
  closeServices,
  copied,
  jobOf,
  makeMover,
  never,
  type Pair,
  place,
  startPair,
  startService,
  stored,
} from './webdav-pair.ts';

const mover = makeMover();
afterEach(closeServices);

/** A server that passes all requests on to the second one, which has another name for it. */
async function startForeignDoor({ two }: Pair, attributes: CopyPlace['rse']['attributes']) {
  const door = await startService();
  door.setFaults(() => ({ status: 307, location: two.origin.replace('127.0.0.1', 'localhost') }));
  const destination = place('TWO', door);
  return { door, destination: { ...destination, rse: { ...destination.rse, attributes } } };
}

describe('a third-party copy that is redirected', () => {
  it('follows redirections to the server that has the file, with the token', async () => {
    const pair = await startPair();
    const door = await startService();
    door.setFaults(() => ({ status: 307, location: pair.two.origin }));
    await mover.copy(jobOf(pair, { destination: place('TWO', door) }), never);
    expect(stored(pair)).toEqual(copied);
  });

  it.each(['localhost', '*.localhost, LOCALHOST', 'other.example.org localhost'])(
    'is redirected to the hosts that the RSE declares: %s',
    async (hosts) => {
      const pair = await startPair();
      const { door, destination } = await startForeignDoor(pair, { token_hosts: hosts });
      await mover.copy(jobOf(pair, { destination }), never);
      expect(stored(pair)).toEqual(copied);
      expect(door.calls.length).toBeGreaterThan(0);
    },
  );

  it.each([undefined, 'example.org', '*.localhost', 'ocalhost', true])(
    'takes no token, and no request, to another host: %s',
    async (hosts) => {
      const pair = await startPair();
      const { destination } = await startForeignDoor(pair, { token_hosts: hosts });
      await expect(mover.copy(jobOf(pair, { destination }), never)).rejects.toThrow(
        /is redirected to http:\/\/localhost:\d+, where the tokens of TWO must not go \(token_hosts\)\.$/,
      );
      expect(pair.two.calls).toEqual([]);
    },
  );

  it.each([
    ['https://one.example.org:8443/x', true],
    ['https://pool1.data.example.org/x', true],
    ['https://data.example.org/x', false],
    ['https://evildata.example.org/x', false],
    ['https://pool1.data.example.org.evil.org/x', false],
    ['http://one.example.org/x', false],
    ['https://user@one.example.org/x', false],
  ])('may be redirected to %s: %s', (next, may) => {
    const from = { url: 'https://one.example.org/x', token: 'x', rse: 'ONE', hosts: ['*.data.example.org'] };
    expect(mayRedirect(from, new URL(next))).toBe(may);
  });

  it('tells people nothing that a server says to which another one has redirected', async () => {
    const pair = await startPair();
    const { destination } = await startForeignDoor(pair, { token_hosts: 'localhost' });
    pair.two.setFaults(({ method }) => (method === 'COPY' ? { status: 403, code: 'secret' } : undefined));
    await expect(mover.copy(jobOf(pair, { destination }), never)).rejects.toThrow(/^COPY at localhost:\d+: 403$/);
  });
});
