import type * as z from 'zod/mini';

import type { pageSettings } from '../../contract/browser.ts';
import { env } from '../../env.ts';
import { parseNamed } from '../../json-names.ts';
import type { NameRule, TypeOfDid } from '../../policy/policy.ts';

import policy from '#policy';

type Settings = z.input<typeof pageSettings>;

/** Facts about the caller of the settings. */
export interface SettingsCaller {
  readonly headers: Readonly<Record<string, string>>;
  readonly sourceIp: string;
  /** Subject of its certificate, verified by the gateway's mutual TLS. */
  readonly certificateDn: string | undefined;
}

/** The settings of the page. The log-in of the first account is only for the page of a server on the same machine. */
export function readPageSettings(version: string, caller: SettingsCaller): Settings {
  return {
    version,
    policy: { name: policy.name, activities: [...policy.activities], names: describeNames() },
    issuers: env.oidcIssuers.map(({ issuer }) => issuer),
    oidc: mayHaveProviders(),
    certificate: caller.certificateDn ?? null,
    login: isOwnPage(caller) ? readLocalLogin() : null,
  };
}

/** Patterns that take linear time in any program. */
function describeNames(): Settings['policy']['names'] {
  const describe = ({ pattern, linear = pattern, longest }: NameRule) => ({
    pattern: linear,
    longest: longest ?? null,
  });
  const ofType = (type: TypeOfDid) => describe(policy.didOfType[type] ?? policy.did);
  return {
    scope: describe(policy.scope),
    DATASET: ofType('DATASET'),
    CONTAINER: ofType('CONTAINER'),
    FILE: ofType('FILE'),
    account: describe(policy.account),
    rse: describe(policy.rse),
  };
}

/**
 * Whether an OpenID provider may be registered. A local server knows. When deployed only the function of log-ins may read the
 * registrations, so the page always offers it there.
 */
function mayHaveProviders(): boolean {
  return env.localLogin === undefined || env.oidcClientsFile !== undefined;
}

/** Only the local server sets it (local/environment.ts). */
function readLocalLogin(): Settings['login'] {
  return env.localLogin === undefined ? null : (parseNamed(env.localLogin) as Settings['login']);
}

/**
 * Whether a request comes from the page itself, in a browser on this machine.
 *
 * A foreign page is refused by what browsers send and scripts cannot set (`Sec-Fetch-Site`, `Origin`), a foreign name
 * that was made to resolve to this machine (DNS rebinding) by `Host`.
 */
function isOwnPage({ headers, sourceIp }: SettingsCaller): boolean {
  const host = headers['host'] ?? '';
  const origin = headers['origin'];
  return (
    /^(127\.\d+\.\d+\.\d+|::1)$/.test(sourceIp) &&
    /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host) &&
    headers['sec-fetch-site'] === 'same-origin' &&
    (origin === undefined || origin === `http://${host}`) &&
    headers['x-forwarded-host'] === undefined
  );
}
