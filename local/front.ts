import type { IncomingMessage, RequestListener } from 'node:http';

import { callerBehind, directCaller, type ReadCaller } from './caller.ts';
import type { ServerCertificate } from './certificate.ts';
import { isOneOf } from './engine/src/allowed-hosts.ts';
import type { Listener, ListenOptions } from './engine/src/listen.ts';
import type { Settings } from './options.ts';

/** How clients reach the port of the interface. */
export interface Front {
  /** How the port is opened. */
  readonly port: ListenOptions;
  readonly callerOf: ReadCaller;
  /** Present where the port speaks TLS. */
  readonly certificate: ServerCertificate | undefined;
  /** The URL of the server, by its port. */
  readonly urlOf: (port: number) => string;
  /** Tells browsers that have come by TLS to come by nothing else. */
  readonly harden: (listener: RequestListener) => RequestListener;
  /** Renews the certificate of an open port; returns how to stop. */
  readonly keep: (listener: Listener) => () => void;
}

/** The settings about clients. */
export type FrontSettings = Partial<Pick<Settings, 'host' | 'hosts' | 'tls' | 'behindProxy'>>;

/** Whether other machines reach the server, by itself or by a proxy. */
export const isForOthers = ({ host, behindProxy = [] }: FrontSettings) => host !== undefined || behindProxy.length > 0;

/** Time for which browsers come by TLS alone, in seconds: a year. */
const strictSeconds = 31_536_000;

/**
 * Reads how clients are to reach the server.
 *
 * @throws Error with the reason if the certificate cannot be used, or a proxy has no address.
 */
export async function openFront(settings: FrontSettings, say: (line: string) => void): Promise<Front> {
  const { host, hosts = [], tls, behindProxy = [] } = settings;
  // Only a server with TLS pays for its modules.
  const certificate =
    tls === undefined ? undefined : new (await import('./certificate.ts')).ServerCertificate(tls, say);
  const isGiven = isOneOf(hosts);
  const isAllowed = (name: string) => isGiven(name) || certificate?.isFor(name) === true;
  const callerOf = behindProxy.length === 0 ? directCaller : callerBehind(behindProxy, isAllowed);
  return {
    port: { hosts: isAllowed, address: host, tls: certificate?.tls },
    callerOf,
    certificate,
    urlOf: (port) => (certificate === undefined ? `http://localhost:${port}` : `https://${certificate.name}:${port}`),
    harden: (listener) => (request, response) => {
      if (isStrict(callerOf, request)) {
        response.setHeader('Strict-Transport-Security', `max-age=${strictSeconds}`);
      }
      listener(request, response);
    },
    keep: (listener) => certificate?.watch((renewed) => listener.renew(renewed)) ?? (() => {}),
  };
}

/** By TLS, and not by a name of this machine: other servers of its user would be out of reach. */
function isStrict(callerOf: ReadCaller, request: IncomingMessage): boolean {
  const { protocol, host = '' } = callerOf(request);
  return protocol === 'https' && !/^(?:localhost|127\.|\[::1\])/.test(host);
}
