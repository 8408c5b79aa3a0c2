import { RucioError } from '../../../errors.ts';
import type { Domain, Operation, Protocol } from '../../../store/entities/rse-protocol.ts';
import type { Rse } from '../../../store/entities/rse.ts';

/** What a PFN is wanted for. */
export interface Purpose {
  readonly operation: Operation;
  readonly domain: Domain;
  /** The schemes that will do, in exactly this case; absent or empty: all. */
  readonly schemes?: readonly string[] | undefined;
}

/**
 * The protocols of an RSE that serve a purpose, the best first: by priority, then by hostname, scheme and port
 * (spec/rses.md 6.3).
 */
export function suitableProtocols(
  rse: Pick<Rse, 'protocols'>,
  { operation, domain, schemes = [] }: Purpose,
): Protocol[] {
  const priority = ({ domains }: Protocol) => domains[domain][operation];
  return rse.protocols
    .filter((protocol) => schemes.length === 0 || schemes.includes(protocol.scheme))
    .filter((protocol) => priority(protocol) !== undefined)
    .toSorted((a, b) => (priority(a) ?? 0) - (priority(b) ?? 0));
}

/** What a purpose is answered with that no protocol of the RSE serves. */
export function noProtocol({ rse }: Pick<Rse, 'rse'>, { operation, domain, schemes = [] }: Purpose): RucioError {
  const scheme = schemes.length === 0 ? 'any' : schemes.join(',');
  return new RucioError(
    'RSEProtocolNotSupported',
    `No protocol for provided settings found : RSE ${rse}, scheme ${scheme}, operation ${operation}, domain ${domain}.`,
  );
}
