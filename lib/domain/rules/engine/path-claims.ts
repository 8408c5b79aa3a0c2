import type { DidKey } from '../../../contract/schemas/did.ts';
import { findNewPathFlaw, normalizePath } from '../../../paths.ts';
import type { Table } from '../../../store/batches/table.ts';
import type { FileDid, Replica } from '../../../store/entities/did.ts';
import { listParentEdges } from '../../../store/entities/edge.ts';
import { getPathOwners, type RsePath } from '../../../store/entities/rse-path.ts';
import { findContestedPath, type PathedRse } from '../../rses/pfn/contested-path.ts';
import { findCopyPath, hasConvention } from '../../rses/pfn/copy-paths.ts';
import { formatDid } from '../../values/format-did.ts';

/** A path for a new copy, or why there is none for it. Neither: no other DID can have the same path. */
export interface PathClaim {
  readonly place?: Required<Pick<Replica, 'path' | 'ownsPath'>>;
  readonly reason?: string;
}

/**
 * The paths that copies of a rule get on RSEs whose algorithm makes one path of several DIDs, and on non-deterministic RSEs by their
 * convention. A copy claims its path as a
 * registration does: so no mover writes to a path at which another file is, or will be.
 */
export class PathClaims {
  readonly #table: Table;
  readonly #rses: ReadonlyMap<string, PathedRse>;
  /** The owners of paths as they were read, and those since then, as `scope:name`; undefined: a path belongs to nobody. */
  readonly #owners = new Map<string, string | undefined>();
  /** The names of the datasets of files that are not placed within one, as `scope:name`. */
  readonly #datasets = new Map<string, string>();
  #dataset: DidKey | undefined;

  /** @param rses The RSEs of the rule, by id. */
  constructor(table: Table, rses: ReadonlyMap<string, PathedRse>) {
    this.#table = table;
    this.#rses = rses;
  }

  /** Names the dataset whose files are placed next; undefined: a file by itself, whose first dataset counts. */
  within(dataset: DidKey | undefined): void {
    this.#dataset = dataset;
  }

  /**
   * Reads to whom the paths of a file on some RSEs belong. Costs a read of half a unit for each, for most algorithms nothing.
   *
   * @param ahead Files that will be placed on the same RSEs: they are read along.
   */
  async load(rseIds: readonly string[], file: FileDid, ahead: Iterable<FileDid> = []): Promise<void> {
    await this.#findDataset(rseIds, file);
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
    const flaw = findNewPathFlaw(path);
    if (flaw !== undefined) return { reason: `The path '${path}' names no file: ${flaw}` };
    const key = placeOf(rseId, path);
    const did = formatDid(file);
    const holder = this.#owners.get(key) ?? did;
    if (holder !== did) return { reason: `The path '${path}' on the RSE belongs to ${holder}` };
    this.#owners.set(key, did);
    return { place: { path, ownsPath: true } };
  }

  #findPath(rseId: string, file: DidKey): string | undefined {
    const rse = this.#rses.get(rseId);
    if (rse === undefined) return undefined;
    const dataset = this.#dataset?.name ?? this.#datasets.get(formatDid(file)) ?? 'other';
    return rse.deterministic ? findContestedPath(rse, file) : findCopyPath(rse, file, dataset);
  }

  /** Reads the first dataset of a file by itself, if its path depends on that. */
  async #findDataset(rseIds: readonly string[], file: FileDid): Promise<void> {
    const depends = rseIds.some((id) => hasConvention(this.#rses.get(id) ?? { attributes: {}, deterministic: true }));
    if (this.#dataset !== undefined || !depends || this.#datasets.has(formatDid(file))) return;
    for await (const { parent, inArchive } of listParentEdges(this.#table, file, { pageSize: 8 })) {
      if (inArchive === true) continue;
      this.#datasets.set(formatDid(file), parent.name);
      return;
    }
  }
}

const placeOf = (rseId: string, path: string) => `${rseId} ${normalizePath(path)}`;
