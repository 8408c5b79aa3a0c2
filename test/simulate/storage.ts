import { hash } from 'node:crypto';

import type { Random } from './random.ts';

/** A file at an RSE. */
interface StoredFile {
  readonly rse: string;
  readonly scope: string;
  readonly name: string;
}

/** The answer of a storage, as far as the service reads it. */
export interface StorageAnswer {
  readonly status: number;
  readonly body: readonly Uint8Array[] | null;
}

/** What a WebDAV server says about a file. */
const fileEntry = Buffer.from(
  '<D:multistatus xmlns:D="DAV:"><D:response><D:propstat><D:prop><D:resourcetype/></D:prop>' +
    '<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>',
);

/** The share of requests that a storage refuses. */
const refusedShare = 0.02;

/** The storages of all RSEs: which files are really there. */
export class SimulatedStorage {
  readonly #files = new Set<string>();
  /** What clients say they have uploaded. The reaper may delete such a file while it is uploaded, as Rucio's does. */
  readonly #claimed = new Set<string>();
  readonly #counts: Map<string, number>;
  /** Whether it refuses some deletions. */
  mayRefuse = true;

  /** @param counts Counts of events, by kind. */
  constructor(counts: Map<string, number>) {
    this.#counts = counts;
  }

  /** A mover has copied a file. */
  write(file: StoredFile): void {
    this.#files.add(keyOf(file));
    this.#claimed.delete(keyOf(file));
  }

  /** A client says that a file is there. */
  claim(file: StoredFile): void {
    this.#claimed.add(keyOf(file));
  }

  /** Answers a request of the service, which has arrived. The host is the RSE, the path has the scope first and the name last. */
  answer(method: string, url: string, random: Random): StorageAnswer {
    const { hostname, pathname } = new URL(url);
    if (pathname === '/') return { status: 207, body: [] };
    if (this.mayRefuse && random.chance(refusedShare)) {
      this.#count('refused deletion');
      return { status: 503, body: null };
    }
    const [scope = '', ...rest] = pathname.split('/').slice(1);
    const key = keyOf({ rse: rseOf(hostname), scope, name: rest.at(-1) ?? '' });
    if (!this.#files.has(key)) return { status: 404, body: null };
    if (method !== 'DELETE') return { status: 207, body: [fileEntry] };
    this.#files.delete(key);
    this.#count('deleted file');
    return { status: 204, body: null };
  }

  #count(kind: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  /** The replicas whose files were copied here, and are not there any more. */
  findLost(available: readonly StoredFile[]): string[] {
    return available
      .map(keyOf)
      .filter((key) => !this.#files.has(key) && !this.#claimed.has(key))
      .map((key) => `${key} is available, and its file was deleted`);
  }
}

const keyOf = ({ rse, scope, name }: StoredFile) => `${rse} ${scope}:${name}`;

/** The PFN of a file at an RSE whose paths follow from the names. */
export function pfnOf(rse: string, { scope, name }: Omit<StoredFile, 'rse'>): string {
  const digest = hash('md5', `${scope}:${name}`);
  return `davs://${hostOf(rse)}:443/${scope}/${digest.slice(0, 2)}/${digest.slice(2, 4)}/${name}`;
}

/** The host of an RSE in URLs. */
export const hostOf = (rse: string) => `${rse.toLowerCase().replaceAll('_', '-')}.simulated`;
const rseOf = (host: string) => (host.split('.')[0] ?? '').toUpperCase().replaceAll('-', '_');
