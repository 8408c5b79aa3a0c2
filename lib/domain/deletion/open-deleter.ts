import { type SignService, signServices } from '../../contract/schemas/credentials.ts';
import type { DidKey } from '../../contract/schemas/did.ts';
import type { DeleteRequest } from '../../movers/deletion-http.ts';
import type { Confirm, Deleter, Deletion } from '../../movers/deletion.ts';
import { makeObjectDeleter } from '../../movers/object-deleter.ts';
import { makePosixDeleter } from '../../movers/posix/deleter.ts';
import { isWithin, type StorageFolders } from '../../movers/posix/safe-path.ts';
import { makeWebdavDeleter } from '../../movers/webdav/webdav-deleter.ts';
import type { Protocol } from '../../store/entities/rse-protocol.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { findRseCredentials } from '../credentials/rse-credentials.ts';
import { signUrl } from '../credentials/sign-url.ts';
import { chooseProtocols } from '../rses/pfn/choose-protocols.ts';
import { httpSchemes, makeHttpUrl } from '../rses/pfn/http-url.ts';
import { computePath, findPlaceFlaw } from '../rses/pfn/lfn-to-pfn.ts';
import { rootedPrefix } from '../rses/pfn/protocol-parts.ts';

/** Deletes the files of replicas from the storage of an RSE. */
export interface ReplicaDeleter {
  /**
   * Deletes the file of a replica. Its path is judged again, whatever was accepted when it was registered.
   *
   * @param storedPath The path of the replica; on a non-deterministic RSE only.
   * @throws The errors of {@link Deleter}.
   */
  delete(did: DidKey, storedPath: string | undefined, confirm: Confirm): Promise<Deletion>;
  /** See `probe` of {@link Deleter}. */
  probe(): Promise<void>;
  /** Whether this process may use the storage: files of a machine only below the folders that it was given. */
  mayUse(): Promise<boolean>;
}

/** The schemes that Dapple speaks. */
const schemes = ['file', ...httpSchemes.keys()];

/**
 * Opens the storage of an RSE by its best protocol for deletions that Dapple speaks; undefined: it has none.
 *
 * @param folders Of the files of this machine only those below them are deleted.
 */
export function openReplicaDeleter(rse: Rse, folders: StorageFolders): ReplicaDeleter | undefined {
  const [protocol] = [
    ...chooseProtocols(rse, { operation: 'delete', domain: 'wan', schemes }),
    ...chooseProtocols(rse, { operation: 'delete', domain: 'lan', schemes }),
  ];
  if (protocol === undefined) return undefined;
  const deleter = makeDeleter(rse, protocol, folders);
  return {
    delete: async (did, storedPath, confirm) => {
      const flaw = findPlaceFlaw(rse, protocol, did, storedPath);
      if (flaw !== undefined) throw new Error(`nothing is deleted, since its path is not used: ${flaw}`);
      // Not read out of the PFN, which does not escape the marks of a URL.
      const path = computePath(rse, protocol, did, storedPath);
      // As in Rucio: a replica whose place is unknown is deleted from the catalogue alone.
      if (path === undefined) return { outcome: 'absent' };
      return deleter.delete(path, confirm);
    },
    probe: () => deleter.probe(),
    mayUse: async () => protocol.scheme !== 'file' || isWithin(rootedPrefix(protocol), folders),
  };
}

function makeDeleter(rse: Rse, protocol: Protocol, folders: StorageFolders): Deleter {
  if (protocol.scheme === 'file') return makePosixDeleter(rootedPrefix(protocol), folders);
  const service = signServices.find((known) => known === rse.attributes['sign_url']);
  return protocol.scheme === 'https' && service !== undefined
    ? makeSignedDeleter(rse, protocol, service)
    : makeWebdavStorage(rse, protocol);
}

/** How long a signed URL is valid. */
const signatureLifetimeSeconds = 300;

/** Objects of a service whose URLs are signed with the credentials of the RSE. */
function makeSignedDeleter(rse: Rse, protocol: Protocol, service: SignService): Deleter {
  return makeObjectDeleter({
    makeRequest: async (path) => {
      const wish = { service, operation: 'delete', lifetimeSeconds: signatureLifetimeSeconds } as const;
      return { url: await signUrl(rse, { ...wish, url: makeHttpUrl(protocol, path) }) };
    },
    // S3 answers 204 for an object that is not there, and 404 for a bucket.
    tellsAbsence: service !== 's3',
  });
}

function makeWebdavStorage(rse: Rse, protocol: Protocol): Deleter {
  return makeWebdavDeleter(async (path): Promise<DeleteRequest> => {
    const { auth_token: token } = (await findRseCredentials(rse)) ?? {};
    return {
      url: makeHttpUrl(protocol, path),
      ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }),
    };
  });
}
