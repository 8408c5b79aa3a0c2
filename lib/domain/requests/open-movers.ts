import { FtsTool, type FtsTokens } from '../../movers/fts/fts-tool.ts';
import type { Mover, StorageRse } from '../../movers/mover.ts';
import { S3Mover } from '../../movers/s3/s3-mover.ts';
import type { TransferTool } from '../../movers/transfer-tool.ts';
import { WebdavMover } from '../../movers/webdav/webdav-mover.ts';
import { findRseCredentials } from '../credentials/rse-credentials.ts';
import { findS3Keys } from '../credentials/sign-url.ts';

async function findTokens(rse: StorageRse): Promise<FtsTokens> {
  const { fts_token: fts, auth_token: storage } = (await findRseCredentials(rse)) ?? {};
  return { fts, storage };
}

/** The movers between storages on the network, with the credentials of their RSEs. */
export function openMovers(): (Mover | TransferTool)[] {
  return [
    new S3Mover({ findKeys: findS3Keys }),
    new WebdavMover({ findToken: async (rse) => (await findRseCredentials(rse))?.auth_token }),
    new FtsTool({ findTokens }),
  ];
}
