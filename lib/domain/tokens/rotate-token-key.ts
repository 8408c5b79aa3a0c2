import { randomBytes } from 'node:crypto';

import { clock } from '../../clock.ts';
import {
  addPendingVersion,
  describeSecret,
  findSecretVersion,
  markInUse,
  promoteVersion,
  unmarkVersion,
} from '../../store/secrets.ts';
import { toTokenKey } from './token-keys.ts';

/** A step of a rotation as Secrets Manager calls it; delivered at least once. */
export interface RotationStep {
  readonly Step: string;
  /** The secret's ARN. */
  readonly SecretId: string;
  /** Id of the version that the rotation puts in use. */
  readonly ClientRequestToken: string;
}

/**
 * Does one step of a rotation of the key that signs tokens. Idempotent. Signatures of the former key stay valid, since the
 * previous version is still accepted (docs/adr/0013-token-key-rotation.md).
 *
 * @throws Error when the step fails; Secrets Manager then retries the whole rotation.
 */
export async function rotateTokenKey({ Step, SecretId, ClientRequestToken }: RotationStep): Promise<void> {
  const { rotates, stages } = await describeSecret(SecretId);
  const stagesOfNew = stages.get(ClientRequestToken);
  if (!rotates) throw new Error(`the secret ${SecretId} is not set to rotate`);
  if (stagesOfNew === undefined) throw new Error(`the secret ${SecretId} has no version ${ClientRequestToken}`);
  // A repeated step after the end of the rotation.
  if (stagesOfNew.includes('AWSCURRENT')) return;
  if (!stagesOfNew.includes('AWSPENDING')) throw new Error(`the version ${ClientRequestToken} is not pending`);
  switch (Step) {
    case 'createSecret':
      return createKey(SecretId, ClientRequestToken);
    case 'setSecret':
      // Only our own functions need the key, and they read it themselves.
      return;
    case 'testSecret':
      return testKey(SecretId, ClientRequestToken);
    case 'finishSecret':
      return putInUse(SecretId, ClientRequestToken, stages);
    default:
      throw new Error(`a rotation has no step ${Step}`);
  }
}

/** Creates a key of 64 characters, 384 bits. */
async function createKey(id: string, versionId: string): Promise<void> {
  if ((await findSecretVersion(id, 'AWSPENDING', versionId)) !== undefined) return;
  await addPendingVersion(id, versionId, randomBytes(48).toString('base64url'));
}

/** Checks that the key is usable. */
async function testKey(id: string, versionId: string): Promise<void> {
  const pending = await findSecretVersion(id, 'AWSPENDING', versionId);
  if (pending === undefined) throw new Error(`the version ${versionId} has no value`);
  toTokenKey(pending.text);
}

/**
 * Records the time first. A process that saw the key in use without it would take an old pending key for one known to
 * all.
 */
async function putInUse(id: string, versionId: string, stages: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const [current] = [...stages].find(([, names]) => names.includes('AWSCURRENT')) ?? [];
  if (current === undefined) throw new Error(`the secret ${id} has no version in use`);
  for (const [version, names] of stages) {
    if (version !== current && version !== versionId) await unmarkVersion(id, version, names);
  }
  await markInUse(id, versionId, clock.now());
  await promoteVersion(id, versionId, current);
}
