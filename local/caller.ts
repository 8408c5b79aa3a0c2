import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Who sent a request, and how: as the socket tells, or a proxy that is believed. */
export interface Caller {
  readonly address: string;
  readonly protocol: 'http' | 'https';
  /** The name by which the server was called. */
  readonly host: string | undefined;
}

/** Whether an address is one of this machine's own. */
export const isLoopback = (address = '') => /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/.test(address);

/** Tells who sent a request. */
export type ReadCaller = (request: IncomingMessage) => Caller;

/** The caller as the connection tells. */
export function directCaller({ socket, headers: { host } }: IncomingMessage): Caller {
  const isSecure = (socket as Partial<TLSSocket>).encrypted === true;
  return { address: plainAddress(socket.remoteAddress), protocol: isSecure ? 'https' : 'http', host };
}

/**
 * Believes the `X-Forwarded-*` headers of some proxies alone: anybody else could name any address with them.
 *
 * @param proxies Addresses, networks such as `10.0.0.0/8`, and `loopback`.
 * @param isAllowed Whether the server may be called by a name; another forwarded one is ignored.
 * @throws Error that names the text that is no address.
 */
export function callerBehind(proxies: readonly string[], isAllowed: (name: string) => boolean): ReadCaller {
  const isProxy = openProxies(proxies);
  return (request) => {
    const direct = directCaller(request);
    if (!isProxy(direct.address)) return direct;
    const { headers } = request;
    const chain = listOf(headers['x-forwarded-for']).map(plainAddress);
    const host = listOf(headers['x-forwarded-host']).at(-1);
    const protocol = listOf(headers['x-forwarded-proto']).at(-1)?.toLowerCase();
    return {
      // Each proxy adds the address that it saw: the last one that is no proxy is the caller.
      address: chain.findLast((address) => !isProxy(address)) ?? chain[0] ?? direct.address,
      protocol: protocol === 'https' || protocol === 'http' ? protocol : direct.protocol,
      host: host !== undefined && isAllowed(host.replace(/:\d*$/, '')) ? host : direct.host,
    };
  };
}

function openProxies(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    const bits = Number(prefix ?? (family === 'ipv6' ? 128 : 32));
    if (proxy === 'loopback') continue;
    if (isIP(address) === 0 || !Number.isInteger(bits) || bits < 0 || bits > (family === 'ipv6' ? 128 : 32)) {
      throw new Error(
        `\`--behind-proxy ${proxy}\` is no address or network, such as 192.0.2.7, 10.0.0.0/8 or loopback.`,
      );
    }
    list.addSubnet(address, bits, family);
  }
  const believesLoopback = proxies.includes('loopback');
  return (address) =>
    (believesLoopback && isLoopback(address)) ||
    (isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'));
}

function listOf(header: string | readonly string[] | undefined): string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** An address without the prefix of IPv4 in IPv6, and without a port. */
function plainAddress(address = ''): string {
  return address
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');
}
