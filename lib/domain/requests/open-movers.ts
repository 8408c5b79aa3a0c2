import { FtsTool, type FtsTokens } from '../../movers/fts/fts-tool.ts';
import type { Mover, StorageRse } from '../../movers/mover.ts';
import type { StorageFolders } from '../../movers/posix/safe-path.ts';
import { S3Mover } from '../../movers/s3/s3-mover.ts';
import { type CopyLife, StreamMover } from '../../movers/stream/stream-mover.ts';
import type { TransferTool } from '../../movers/transfer-tool.ts';
import { WebdavMover } from '../../movers/webdav/webdav-mover.ts';
import { findRseCredentials } from '../credentials/rse-credentials.ts';
import { findS3Keys } from '../credentials/sign-url.ts';

async function findTokens(rse: StorageRse): Promise<FtsTokens> {
  const { fts_token: fts, auth_token: storage } = (await findRseCredentials(rse)) ?? {};
  return { fts, storage };
}

const findToken = async (rse: StorageRse) => (await findRseCredentials(rse))?.auth_token;

/** A run of a function that copies: how long it begins copies, and how long each may take; together less than the function may run. */
export const functionRun = {
  beginMs: 240_000,
  copyMs: 600_000,
  /** What each of the copies through it moves at least: a processor moves some 80 MB a second. */
  bytesPerSecond: 10_000_000,
} as const;

/**
 * The mover through this process, with the credentials of the RSEs.
 *
 * @param folders Of this machine only files below them are touched.
 * @param life How long a copy may take; absent: any time.
 */
export function openStreamMover(folders: StorageFolders, life?: CopyLife): StreamMover {
  return new StreamMover({ folders, findKeys: findS3Keys, findToken, ...(life === undefined ? {} : { life }) });
}

/** The movers between storages on the network, with the credentials of their RSEs. */
export function openMovers(): (Mover | TransferTool)[] {
  return [new S3Mover({ findKeys: findS3Keys }), new WebdavMover({ findToken }), new FtsTool({ findTokens })];
}

/** The names of movers that run. @param isStreaming Whether another function copies through itself. */
export function namesOfMovers(movers: readonly (Mover | TransferTool)[], isStreaming: boolean): string[] {
  return [...movers.map(({ name }) => name), ...(isStreaming ? ['stream'] : [])];
}
