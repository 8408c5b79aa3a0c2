import type { DidKey } from '../../contract/schemas/did.ts';
import { RucioError } from '../../errors.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { formEncode } from '../rses/pfn/assemble-pfn.ts';
import { computePfn } from '../rses/pfn/lfn-to-pfn.ts';
import { type ReadAccess, type AccessProtocol, findAccessProtocols } from './access-protocols.ts';

/** A place from which a file can be read. */
export interface PfnSource {
  readonly rse: Rse;
  /** What lies there: the file, or an archive that holds it. */
  readonly did: DidKey;
  readonly inArchive: boolean;
  /** Where it lies, on a non-deterministic RSE. */
  readonly path: string | undefined;
}

/** A PFN of a file. */
export interface Pfn {
  readonly text: string;
  readonly rse: Rse;
  readonly domain: 'lan' | 'wan' | 'zip';
  readonly priority: number;
  /** The client gets the archive and has to take the file out of it. */
  readonly extract: boolean;
}

/** Tells the PFNs of files; what it has found out of an RSE it keeps for the next file. */
export class PfnFinder {
  readonly #access: ReadAccess;
  readonly #doors = new Map<string, readonly AccessProtocol[]>();

  constructor(access: ReadAccess) {
    this.#access = access;
  }

  /**
   * The PFNs of a file from all its sources, the best first: by domain, then by the priority of the protocol, then by
   * text. A PFN that serves two domains counts for the nearer one.
   */
  find(file: DidKey, sources: readonly PfnSource[]): Pfn[] {
    const found = new Map<string, Pfn>();
    for (const source of sources) {
      for (const door of this.#doorsOf(source)) {
        const text = textOf(file, source, door);
        if (text !== undefined) found.set(text, { text, rse: source.rse, ...rankOf(source, door) });
      }
    }
    return [...found.values()].toSorted(compare);
  }

  #doorsOf({ rse, inArchive }: PfnSource): readonly AccessProtocol[] {
    const key = `${rse.id} ${inArchive}`;
    const doors = this.#doors.get(key) ?? findAccessProtocols(rse, this.#access, inArchive);
    this.#doors.set(key, doors);
    return doors;
  }
}

function rankOf({ inArchive }: PfnSource, { domain, protocol, priority }: AccessProtocol) {
  if (!inArchive) return { domain, priority, extract: false };
  // XRootD reads a file out of an archive by itself.
  const direct = protocol.scheme === 'root';
  return { domain: 'zip' as const, priority: direct ? -1 : priority, extract: !direct };
}

/** An RSE whose PFNs nobody can tell has none; it must not spoil the list of all others. */
function textOf(
  file: DidKey,
  { rse, did, inArchive, path }: PfnSource,
  { protocol }: AccessProtocol,
): string | undefined {
  try {
    const text = computePfn(rse, protocol, did, path);
    return text === undefined || !inArchive ? text : addToQuery(text, 'xrdcl.unzip', file.name);
  } catch (error) {
    if (error instanceof RucioError) return undefined;
    throw error;
  }
}

/** Adds to the query of a URL, which is encoded anew. */
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
