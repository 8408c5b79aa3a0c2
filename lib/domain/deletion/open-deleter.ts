import type { DidKey } from '../../contract/schemas/did.ts';
import type { Deleter, DeletionOutcome } from '../../storage/deletion.ts';
import { makePosixDeleter } from '../../storage/posix/deleter.ts';
import type { Protocol } from '../../store/entities/rse-protocol.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { chooseProtocols } from '../rses/pfn/choose-protocols.ts';
import { computePfn } from '../rses/pfn/lfn-to-pfn.ts';
import { parsePfn } from '../rses/pfn/parse-pfn.ts';
import { rootedPrefix } from '../rses/pfn/protocol-parts.ts';

/** Deletes the files of replicas from the storage of an RSE. */
export interface ReplicaDeleter {
  /**
   * Deletes the file of a replica.
   *
   * @param storedPath The path of the replica; on a non-deterministic RSE only.
   * @throws As {@link Deleter}.
   */
  delete(did: DidKey, storedPath: string | undefined): Promise<DeletionOutcome>;
}

/** Makes the deleter of a protocol, by its scheme. */
const makers: ReadonlyMap<string, (protocol: Protocol) => Deleter> = new Map([
  ['file', (protocol: Protocol) => makePosixDeleter(rootedPrefix(protocol))],
]);

/** Opens the storage of an RSE by its best protocol for deletions that Dapple speaks; undefined: it has none. */
export function openReplicaDeleter(rse: Rse): ReplicaDeleter | undefined {
  const schemes = [...makers.keys()];
  const [protocol] = [
    ...chooseProtocols(rse, { operation: 'delete', domain: 'wan', schemes }),
    ...chooseProtocols(rse, { operation: 'delete', domain: 'lan', schemes }),
  ];
  const deleter = protocol === undefined ? undefined : makers.get(protocol.scheme)?.(protocol);
  if (protocol === undefined || deleter === undefined) return undefined;
  return {
    delete: async (did, storedPath) => {
      const pfn = computePfn(rse, protocol, did, storedPath);
      // As in Rucio: a replica whose place is unknown is deleted from the catalogue alone.
      if (pfn === undefined) return 'absent';
      const parsed = parsePfn(protocol, pfn);
      if ('misfit' in parsed) throw new Error(parsed.misfit);
      return deleter.delete(parsed.path);
    },
  };
}
