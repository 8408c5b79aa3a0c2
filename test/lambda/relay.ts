import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP connection on the way to a service, as a network loses it. */
export interface Relay {
  readonly url: string;
  /** Closes the connections that are open now. */
  hangUp(): void;
  /** Forgets the connections that are open now: whoever uses them gets no answer and no error. */
  forget(): void;
  /** Whether new connections are accepted without any answer. */
  isSilent: boolean;
  close(): void;
}

/** Puts a relay in front of a port of this machine. */
export async function openRelay(port: number): Promise<Relay> {
  const open = new Set<readonly [Socket, Socket]>();
  const all = new Set<Socket>();
  const server = createServer((near) => {
    all.add(near);
    near.on('error', () => {});
    if (relay.isSilent) return;
    const far = connect(port, '127.0.0.1');
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
    open.add([near, far]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const take = () => {
    const pairs = [...open];
    open.clear();
    return pairs;
  };
  const relay: Relay = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isSilent: false,
    hangUp: () => take().forEach(([near]) => near.destroy()),
    forget: () =>
      take().forEach(([near, far]) => {
        near.unpipe(far);
        far.unpipe(near);
        near.resume();
        far.destroy();
      }),
    close: () => {
      server.close();
      for (const socket of all) socket.destroy();
    },
  };
  return relay;
}
