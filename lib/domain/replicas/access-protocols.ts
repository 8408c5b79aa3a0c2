import type { Domain, Protocol } from '../../store/entities/rse-protocol.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { chooseProtocols } from '../rses/pfn/choose-protocols.ts';

/** From where and how replicas are wanted to be read. */
export interface ReadAccess {
  /** `wan`, `lan` or `all`; undefined: `lan` at the caller's own site, else `wan`. */
  readonly domain: string | undefined;
  /** The caller's site. */
  readonly site: string | undefined;
  /** Schemes that will do; none: the one that serves best. */
  readonly schemes: readonly string[];
}

/** A way to read the files of an RSE. */
export interface AccessProtocol {
  readonly domain: Domain;
  readonly protocol: Protocol;
  /** Among the doors of one domain, 0 the best. */
  readonly priority: number;
}

/** Archives are read by it from within, whatever schemes were asked for. */
const unzipping = 'root';

/**
 * The ways to read files of an RSE: of each scheme the protocol that serves a domain best (spec/replication.md 1.10).
 *
 * @param inArchive The files lie in archives.
 */
export function findAccessProtocols(rse: Rse, access: ReadAccess, inArchive: boolean): AccessProtocol[] {
  const domains = domainsOf(rse, access);
  const best = (domain: Domain, schemes: readonly string[]) =>
    chooseProtocols(rse, { operation: 'read', domain, schemes })[0];
  const wanted =
    access.schemes.length > 0 ? access.schemes : domains.flatMap((domain) => best(domain, [])?.scheme ?? []);
  const schemes = new Set(inArchive ? [...wanted, unzipping] : wanted);
  return Array.from(schemes).flatMap((scheme) =>
    domains.flatMap((domain) => {
      const protocol = best(domain, [scheme]);
      return protocol === undefined ? [] : [{ domain, protocol, priority: protocol.domains[domain].read ?? 0 }];
    }),
  );
}

function domainsOf({ attributes }: Rse, { domain, site }: ReadAccess): readonly Domain[] {
  switch (domain) {
    case undefined:
      return site !== undefined && attributes['site'] === site ? ['lan'] : ['wan'];
    case 'all':
      return ['wan', 'lan'];
    case 'wan':
    case 'lan':
      return [domain];
    default:
      return [];
  }
}
