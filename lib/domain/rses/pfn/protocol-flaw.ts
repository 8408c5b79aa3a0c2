import { findPathFlaw, findTextFlaw } from '../../../paths.ts';
import type { Protocol } from '../../../store/entities/rse-protocol.ts';
import { extendedText } from './protocol-parts.ts';

/** Protocols do not change, and lists of replicas ask for each PFN. */
const known = new WeakMap<Protocol, { readonly flaw: string | undefined }>();

/** Why no PFN of a protocol may be used: a part of it leads elsewhere, whatever the file. */
export function findProtocolFlaw(protocol: Protocol): string | undefined {
  const { flaw } = known.get(protocol) ?? { flaw: judge(protocol) };
  known.set(protocol, { flaw });
  return flaw;
}

function judge(protocol: Protocol): string | undefined {
  const { scheme, hostname, prefix } = protocol;
  const service = extendedText(protocol, 'web_service_path');
  const user = extendedText(protocol, 'user');
  const parts = [
    ['scheme', scheme, findTextFlaw(scheme)],
    ['hostname', hostname, findPlaceFlaw(hostname.replace(/^[\w+.-]+:\/\//, ''))],
    ['prefix', prefix, findPrefixFlaw(prefix ?? '')],
    ['web_service_path', service, findServiceFlaw(service)],
    ['user', user, findPlaceFlaw(user)],
  ] as const;
  const bad = parts.find(([, , flaw]) => flaw !== undefined);
  return bad === undefined ? undefined : `the ${bad[0]} '${bad[1]}' cannot be used: ${bad[2]}`;
}

/** The text before the path must not end there. */
function findPlaceFlaw(text: string): string | undefined {
  const mark = /[/?#\s]/.exec(text)?.[0];
  return findTextFlaw(text) ?? (mark === undefined ? undefined : `it holds the mark '${mark}'`);
}

/** Several slashes at its ends are usual with XRootD. */
function findPrefixFlaw(prefix: string): string | undefined {
  const folder = prefix.replaceAll(/^\/+|\/+$/g, '');
  return folder === '' ? undefined : findPathFlaw(folder);
}

/** The address of a web service ends in a query, behind which the path stands. */
function findServiceFlaw(text: string): string | undefined {
  const [folder = ''] = text.split('?');
  return findTextFlaw(text) ?? findPrefixFlaw(folder);
}
