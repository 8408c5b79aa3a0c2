import { randomBytes } from 'node:crypto';

import {
  addPendingVersion,
  describeSecret,
  findSecretVersion,
  markInUse,
  promoteVersion,
  unmarkVersion,
} from '../../store/secrets.ts';
import { keyOf } from './token-keys.ts';

/** What Secrets Manager asks of a rotation, one after the other; each may come again. */
export interface RotationStep {
  readonly Step: string;
  /** The secret's ARN. */
  readonly SecretId: string;
  /** Id of the version that is to become the one in use. */
  readonly ClientRequestToken: string;
}

/**
 * Does one step of a rotation of the key that signs tokens. What was signed with the key until now stays good, since
 * the previous version is accepted as well (docs/adr/0013-token-key-rotation.md).
 *
 * @throws Error when the step cannot be done; Secrets Manager then tries the whole rotation again.
 */
export async function rotateTokenKey({ Step, SecretId, ClientRequestToken }: RotationStep): Promise<void> {
  const { rotates, stages } = await describeSecret(SecretId);
  const stagesOfNew = stages.get(ClientRequestToken);
  if (!rotates) throw new Error(`the secret ${SecretId} is not set to rotate`);
  if (stagesOfNew === undefined) throw new Error(`the secret ${SecretId} has no version ${ClientRequestToken}`);
  // A step that comes late finds its work done.
  if (stagesOfNew.includes('AWSCURRENT')) return;
  if (!stagesOfNew.includes('AWSPENDING')) throw new Error(`the version ${ClientRequestToken} is not pending`);
  switch (Step) {
    case 'createSecret':
      return createKey(SecretId, ClientRequestToken);
    case 'setSecret':
      // Nobody but our own functions has to learn the key, and they read it themselves.
      return;
    case 'testSecret':
      return testKey(SecretId, ClientRequestToken);
    case 'finishSecret':
      return putInUse(SecretId, ClientRequestToken, stages);
    default:
      throw new Error(`a rotation has no step ${Step}`);
  }
}

/** 64 characters, 384 bits. */
async function createKey(id: string, versionId: string): Promise<void> {
  if ((await findSecretVersion(id, 'AWSPENDING', versionId)) !== undefined) return;
  await addPendingVersion(id, versionId, randomBytes(48).toString('base64url'));
}

/** Whether the functions could work with the key. */
async function testKey(id: string, versionId: string): Promise<void> {
  const pending = await findSecretVersion(id, 'AWSPENDING', versionId);
  if (pending === undefined) throw new Error(`the version ${versionId} has no value`);
  keyOf(pending.text);
}

/** The time is noted first: no process may see the key in use without it, and take a key that waited long for a known one. */
async function putInUse(id: string, versionId: string, stages: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const [current] = [...stages].find(([, names]) => names.includes('AWSCURRENT')) ?? [];
  if (current === undefined) throw new Error(`the secret ${id} has no version in use`);
  for (const [version, names] of stages) {
    if (version !== current && version !== versionId) await unmarkVersion(id, version, names);
  }
  await markInUse(id, versionId, Date.now());
  await promoteVersion(id, versionId, current);
}
