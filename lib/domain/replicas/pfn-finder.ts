import type { DidKey } from '../../contract/schemas/did.ts';
import { RucioError } from '../../errors.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { formEncode } from '../rses/pfn/assemble-pfn.ts';
import { computePfn } from '../rses/pfn/lfn-to-pfn.ts';
import { type ReadAccess, type AccessProtocol, findAccessProtocols } from './access-protocols.ts';
import { adaptPfn } from './adapt-pfn.ts';
import type { CallerSite } from './caller-site.ts';

/** A replica from which a file can be read. */
export interface PfnSource {
  readonly rse: Rse;
  /** The DID of the replica: the file, or an archive that contains it. */
  readonly did: DidKey;
  readonly inArchive: boolean;
  /** The path of the replica, on a non-deterministic RSE. */
  readonly path: string | undefined;
}

/** A PFN of a file. */
export interface Pfn {
  readonly text: string;
  readonly rse: Rse;
  readonly domain: 'lan' | 'wan' | 'zip';
  readonly priority: number;
  /** The client has to extract the file from the archive. */
  readonly extract: boolean;
}

/** Finds the PFNs of files. Caches the access protocols of each RSE. */
export class PfnFinder {
  readonly #access: ReadAccess;
  readonly #protocols = new Map<string, readonly AccessProtocol[]>();

  constructor(access: ReadAccess) {
    this.#access = access;
  }

  /**
   * The PFNs of a file from all its sources, the best first: sorted by domain, priority of the protocol, and text. A
   * PFN of two domains counts for the nearer one.
   */
  find(file: DidKey, sources: readonly PfnSource[]): Pfn[] {
    const found = new Map<string, Pfn>();
    for (const source of sources) {
      for (const access of this.#protocolsOf(source)) {
        const text = constructPfn(file, source, access, this.#access.site);
        if (text !== undefined) found.set(text, { text, rse: source.rse, ...rankSource(source, access) });
      }
    }
    return [...found.values()].toSorted(compare);
  }

  #protocolsOf({ rse, inArchive }: PfnSource): readonly AccessProtocol[] {
    const key = `${rse.id} ${inArchive}`;
    const protocols = this.#protocols.get(key) ?? findAccessProtocols(rse, this.#access, inArchive);
    this.#protocols.set(key, protocols);
    return protocols;
  }
}

function rankSource({ inArchive }: PfnSource, { domain, protocol, priority }: AccessProtocol) {
  if (!inArchive) return { domain, priority, extract: false };
  // XRootD extracts a file from an archive by itself.
  const direct = protocol.scheme === 'root';
  return { domain: 'zip' as const, priority: direct ? -1 : priority, extract: !direct };
}

/** The PFN; undefined if it cannot be constructed, so that one misconfigured RSE does not fail the whole list. */
function constructPfn(
  file: DidKey,
  { rse, did, inArchive, path }: PfnSource,
  access: AccessProtocol,
  site: CallerSite | undefined,
): string | undefined {
  try {
    const plain = computePfn(rse, access.protocol, did, path);
    if (plain === undefined) return undefined;
    const text = adaptPfn(plain, rse, access, site);
    return inArchive ? addToQuery(text, 'xrdcl.unzip', file.name) : text;
  } catch (error) {
    if (error instanceof RucioError) return undefined;
    throw error;
  }
}

/** Adds a parameter to the query of a URL. The whole query is encoded again. */
function addToQuery(url: string, key: string, value: string): string {
  const [, place = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  const pairs = new Map([...new URLSearchParams(query)].filter(([, text]) => text !== '')).set(key, value);
  const encoded = Array.from(pairs, ([name, text]) => `${formEncode(name)}=${formEncode(text)}`);
  return `${place}?${encoded.join('&')}${fragment}`;
}

/** `lan` comes before `wan`, and that before `zip`. */
function compare(a: Pfn, b: Pfn): number {
  if (a.domain !== b.domain) return a.domain < b.domain ? -1 : 1;
  return a.priority - b.priority || (a.text < b.text ? -1 : 1);
}
