import type { Mover } from '../../storage/mover.ts';
import { S3Mover } from '../../storage/s3/s3-mover.ts';
import { WebdavMover } from '../../storage/webdav/webdav-mover.ts';
import { findRseCredentials } from '../credentials/rse-credentials.ts';
import { findS3Keys } from '../credentials/sign-url.ts';

/** The movers between storages on the network, with the credentials of their RSEs. */
export function openMovers(): Mover[] {
  return [
    new S3Mover({ findKeys: findS3Keys }),
    new WebdavMover({ findToken: async (rse) => (await findRseCredentials(rse))?.auth_token }),
  ];
}
