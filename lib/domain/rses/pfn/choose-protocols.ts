import { RucioError } from '../../../errors.ts';
import type { Domain, Operation, Protocol } from '../../../store/entities/rse-protocol.ts';
import type { Rse } from '../../../store/entities/rse.ts';

/** The operation and the domain that a PFN is for. */
export interface Purpose {
  readonly operation: Operation;
  readonly domain: Domain;
  /** The accepted schemes, case-sensitive; absent or empty: all. */
  readonly schemes?: readonly string[] | undefined;
}

/**
 * The protocols of an RSE for a purpose, the best first: by priority, then by hostname, scheme and port
 * (spec/rses.md 6.3).
 */
export function chooseProtocols(rse: Pick<Rse, 'protocols'>, { operation, domain, schemes = [] }: Purpose): Protocol[] {
  const priority = ({ domains }: Protocol) => domains[domain][operation];
  return rse.protocols
    .filter((protocol) => schemes.length === 0 || schemes.includes(protocol.scheme))
    .filter((protocol) => priority(protocol) !== undefined)
    .toSorted((a, b) => (priority(a) ?? 0) - (priority(b) ?? 0));
}

/** The error when the RSE has no protocol for a purpose. */
export function noProtocolError({ rse }: Pick<Rse, 'rse'>, { operation, domain, schemes = [] }: Purpose): RucioError {
  const scheme = schemes.length === 0 ? 'any' : schemes.join(',');
  return new RucioError(
    'RSEProtocolNotSupported',
    `No protocol for provided settings found : RSE ${rse}, scheme ${scheme}, operation ${operation}, domain ${domain}.`,
  );
}
