import type { DidKey } from '../../../contract/schemas/did.ts';
import { normalizePath } from '../../../paths.ts';
import type { Table } from '../../../store/batches/table.ts';
import type { FileDid, Replica } from '../../../store/entities/did.ts';
import { getPathOwners, type RsePath } from '../../../store/entities/rse-path.ts';
import { findContestedPath, type PathedRse } from '../../rses/pfn/contested-path.ts';
import { formatDid } from '../../values/format-did.ts';

/** A path for a new copy, or why there is none for it. Neither: no other DID can have the same path. */
export interface PathClaim {
  readonly place?: Required<Pick<Replica, 'path' | 'ownsPath'>>;
  readonly reason?: string;
}

/**
 * The paths that copies of a rule get on RSEs whose algorithm makes one path of several DIDs. A copy claims its path as a
 * registration does: so no mover writes to a path at which another file is, or will be.
 */
export class PathClaims {
  readonly #table: Table;
  readonly #rses: ReadonlyMap<string, PathedRse>;
  /** The owners of paths as they were read, and those since then, as `scope:name`; undefined: a path belongs to nobody. */
  readonly #owners = new Map<string, string | undefined>();

  /** @param rses The RSEs of the rule, by id. */
  constructor(table: Table, rses: ReadonlyMap<string, PathedRse>) {
    this.#table = table;
    this.#rses = rses;
  }

  /**
   * Reads to whom the paths of a file on some RSEs belong. Costs a read of half a unit for each, for most algorithms nothing.
   *
   * @param ahead Files that will be placed on the same RSEs: they are read along.
   */
  async load(rseIds: readonly string[], file: FileDid, ahead: Iterable<FileDid> = []): Promise<void> {
    if (this.#findUnknown(rseIds, [file]).length === 0) return;
    const wanted = this.#findUnknown(rseIds, [file, ...ahead]);
    for (const { rseId, path } of wanted) this.#owners.set(placeOf(rseId, path), undefined);
    for (const { rseId, path, did } of await getPathOwners(this.#table, wanted))
      this.#owners.set(placeOf(rseId, path), formatDid(did));
  }

  #findUnknown(rseIds: readonly string[], files: readonly FileDid[]): RsePath[] {
    const unknown = new Map<string, RsePath>();
    for (const file of files) {
      for (const rseId of rseIds) {
        const path = file.replicas.get(rseId)?.path === undefined ? this.#findPath(rseId, file) : undefined;
        const key = path === undefined ? undefined : placeOf(rseId, path);
        if (key !== undefined && !this.#owners.has(key)) unknown.set(key, { rseId, path: path ?? '' });
      }
    }
    return [...unknown.values()];
  }

  /** Claims the path of a file on an RSE for a copy. It must be {@link load loaded}. */
  claim(rseId: string, file: DidKey): PathClaim {
    const path = this.#findPath(rseId, file);
    if (path === undefined) return {};
    const key = placeOf(rseId, path);
    const did = formatDid(file);
    const holder = this.#owners.get(key) ?? did;
    if (holder !== did) return { reason: `The path '${path}' on the RSE belongs to ${holder}` };
    this.#owners.set(key, did);
    return { place: { path, ownsPath: true } };
  }

  #findPath(rseId: string, file: DidKey): string | undefined {
    const rse = this.#rses.get(rseId);
    return rse === undefined ? undefined : findContestedPath(rse, file);
  }
}

const placeOf = (rseId: string, path: string) => `${rseId} ${normalizePath(path)}`;
