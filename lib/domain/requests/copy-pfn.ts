import type { DidKey } from '../../contract/schemas/did.ts';
import { RucioError } from '../../errors.ts';
import type { Protocol } from '../../store/entities/rse-protocol.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { chooseProtocols, type Purpose } from '../rses/pfn/choose-protocols.ts';
import { computePath, computePfn } from '../rses/pfn/lfn-to-pfn.ts';

/** Where a mover finds a file, or puts it. */
export interface CopyPfn {
  readonly pfn: string;
  /** Below the prefix of the protocol, without a leading slash. */
  readonly path: string;
  readonly protocol: Protocol;
}

/** The purposes of protocols that serve a mover at one end of a copy, the best first. */
const purposes = {
  read: [
    { operation: 'third_party_copy_read', domain: 'wan' },
    { operation: 'read', domain: 'wan' },
    { operation: 'read', domain: 'lan' },
  ],
  write: [
    { operation: 'third_party_copy_write', domain: 'wan' },
    { operation: 'write', domain: 'wan' },
    { operation: 'write', domain: 'lan' },
  ],
} as const satisfies Record<string, readonly Purpose[]>;

/** Purpose of a PFN. */
export interface CopyEnd {
  readonly operation: keyof typeof purposes;
  /** The schemes that the mover can use; undefined: any. */
  readonly schemes?: readonly string[] | undefined;
  /** The stored path of a replica on a non-deterministic RSE. */
  readonly path?: string | undefined;
}

/** The PFN of a file for a mover; undefined: the RSE has no protocol for it, or nothing tells the path of the file. */
export function findCopyPfn(rse: Rse, did: DidKey, { operation, schemes, path }: CopyEnd): CopyPfn | undefined {
  const [protocol] = purposes[operation].flatMap((purpose) => chooseProtocols(rse, { ...purpose, schemes }));
  return protocol === undefined ? undefined : computeIfPossible(rse, protocol, did, path);
}

/** One misconfigured RSE does not keep movers from the others. */
function computeIfPossible(
  rse: Rse,
  protocol: Protocol,
  did: DidKey,
  storedPath: string | undefined,
): CopyPfn | undefined {
  try {
    const pfn = computePfn(rse, protocol, did, storedPath);
    const path = computePath(rse, protocol, did, storedPath);
    return pfn === undefined || path === undefined ? undefined : { pfn, path, protocol };
  } catch (error) {
    if (error instanceof RucioError) return undefined;
    throw error;
  }
}
