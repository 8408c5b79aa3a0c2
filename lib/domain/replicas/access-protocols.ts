import type { Domain, Protocol } from '../../store/entities/rse-protocol.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { chooseProtocols } from '../rses/pfn/choose-protocols.ts';
import type { CallerSite } from './caller-site.ts';

/** From where and by which schemes a client wants to read. */
export interface ReadAccess {
  /** `wan`, `lan` or `all`; undefined: `lan` at the site of the caller, else `wan`. */
  readonly domain: string | undefined;
  readonly site: CallerSite | undefined;
  /** Accepted schemes; empty: the one with the best priority. */
  readonly schemes: readonly string[];
}

/** A protocol of an RSE that serves reads in a domain. */
export interface AccessProtocol {
  readonly domain: Domain;
  readonly protocol: Protocol;
  /** Within one domain; 0 is the best. */
  readonly priority: number;
}

/** XRootD can extract a file from an archive. It is offered for archives, whatever schemes were requested. */
const extractingScheme = 'root';

/**
 * Finds the protocols to read files of an RSE: for each scheme and domain the one with the best priority
 * (spec/replication.md 1.10).
 *
 * @param inArchive The files are in archives.
 */
export function findAccessProtocols(rse: Rse, access: ReadAccess, inArchive: boolean): AccessProtocol[] {
  const domains = listDomains(rse, access);
  const best = (domain: Domain, schemes: readonly string[]) =>
    chooseProtocols(rse, { operation: 'read', domain, schemes })[0];
  const wanted =
    access.schemes.length > 0 ? access.schemes : domains.flatMap((domain) => best(domain, [])?.scheme ?? []);
  const schemes = new Set(inArchive ? [...wanted, extractingScheme] : wanted);
  return Array.from(schemes).flatMap((scheme) =>
    domains.flatMap((domain) => {
      const protocol = best(domain, [scheme]);
      return protocol === undefined ? [] : [{ domain, protocol, priority: protocol.domains[domain].read ?? 0 }];
    }),
  );
}

function listDomains({ id }: Rse, { domain, site }: ReadAccess): readonly Domain[] {
  switch (domain) {
    case undefined:
      return site?.rseIds.has(id) === true ? ['lan'] : ['wan'];
    case 'all':
      return ['wan', 'lan'];
    case 'wan':
    case 'lan':
      return [domain];
    default:
      return [];
  }
}
