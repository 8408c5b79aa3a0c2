import type { DidKey } from '../../contract/schemas/did.ts';
import { ReplicaState } from '../../contract/schemas/states.ts';
import { fail } from '../../errors.ts';
import { normalizePath } from '../../paths.ts';
import type { Replica } from '../../store/entities/did.ts';
import { changeRsePath, deleteRsePath, insertRsePath } from '../../store/entities/rse-path.ts';
import type { Write } from '../../store/items/plan.ts';
import { formatDid } from '../values/format-did.ts';

/** Plans which paths on RSEs belong to which files. A plan writes an item once, so it gives or takes each path once. */
export class PathWrites {
  /** The files whose paths are given or taken, by RSE and normal form. */
  readonly #files = new Map<string, DidKey>();

  /**
   * The writes for a replica that appears, changes or disappears.
   *
   * @throws InvalidPath (400) for a path that another file of the plan gets, or has until then.
   */
  plan(rseId: string, file: DidKey, before: Replica | undefined, after: Replica | undefined): Write[] {
    if (before?.path === after?.path && before?.ownsPath === after?.ownsPath) return [];
    const places = new Set([before, after].flatMap((one) => placesOf(rseId, one)));
    for (const place of places) this.#take(place, file);
    const isRespelled = before?.ownsPath === true && after?.ownsPath === true && places.size === 1;
    if (isRespelled) return [changeRsePath(rseId, after.path ?? '', file)];
    return [
      ...(before === undefined ? [] : deleteRsePath(rseId, before, file)),
      ...(after?.path === undefined ? [] : [insertRsePath(rseId, after.path, file, isPlaced(before, after))]),
    ];
  }

  #take(place: string, file: DidKey): void {
    const other = this.#files.get(place);
    if (other !== undefined && formatDid(other) !== formatDid(file)) {
      fail('InvalidPath', `${formatDid(file)} and ${formatDid(other)} have the same path on an RSE in this request`);
    }
    this.#files.set(place, file);
  }
}

/** Whether a rule asks for a copy at the path: it looked beforehand to whom that belongs, and looks again. */
function isPlaced(before: Replica | undefined, after: Replica): boolean {
  return before?.path === undefined && after.state === ReplicaState.COPYING && after.askedBy !== undefined;
}

/** Shared paths have an item for each file. */
function placesOf(rseId: string, replica: Replica | undefined): string[] {
  if (replica?.path === undefined || replica.ownsPath !== true) return [];
  return [`${rseId} ${normalizePath(replica.path)}`];
}
