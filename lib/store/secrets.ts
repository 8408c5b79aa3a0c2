import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';

import { networkLimits } from './items/network-limits.ts';

/** The prefix of stages that hold the time at which a version came into use: Secrets Manager knows only its creation. */
const sincePrefix = 'DAPPLE-SINCE-';

/** The time that a stage holds; 0 if it holds none. */
function sinceOf(stage: string): number {
  return stage.startsWith(sincePrefix) ? Number(stage.slice(sincePrefix.length)) : 0;
}

/** The stages of a secret's versions: in use, the previous one, and the next one of a rotation. */
type Stage = 'AWSCURRENT' | 'AWSPREVIOUS' | 'AWSPENDING';

/** A version of a secret text. */
export interface SecretVersion {
  readonly text: string;
  /** The earliest time of use: its creation or, if later, its promotion; milliseconds since 1970, 0 if unknown. */
  readonly since: number;
}

let client: SecretsManagerClient | undefined;

/** Reads a secret text from Secrets Manager. */
export async function readSecret(id: string): Promise<string> {
  const version = await findSecretVersion(id, 'AWSCURRENT');
  if (version === undefined) throw new Error(`the secret ${id} has no value`);
  return version.text;
}

/** Reads one version of a secret text; undefined if there is none. */
export async function findSecretVersion(
  id: string,
  stage: Stage,
  versionId?: string,
): Promise<SecretVersion | undefined> {
  try {
    const {
      SecretString,
      CreatedDate,
      VersionStages = [],
    } = await secretsClient().send(
      new GetSecretValueCommand({ SecretId: id, VersionStage: stage, VersionId: versionId }),
    );
    if (SecretString === undefined) throw new Error(`the secret ${id} holds no text`);
    return { text: SecretString, since: Math.max(CreatedDate?.getTime() ?? 0, ...VersionStages.map(sinceOf)) };
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** The stages of each version of a secret, and whether the secret is set to rotate. */
export async function describeSecret(
  id: string,
): Promise<{ readonly rotates: boolean; readonly stages: ReadonlyMap<string, readonly string[]> }> {
  const { RotationEnabled, VersionIdsToStages } = await secretsClient().send(
    new DescribeSecretCommand({ SecretId: id }),
  );
  return { rotates: RotationEnabled === true, stages: new Map(Object.entries(VersionIdsToStages ?? {})) };
}

/** Adds a version that is not in use yet; idempotent for the same id and text. */
export async function addPendingVersion(id: string, versionId: string, text: string): Promise<void> {
  await secretsClient().send(
    new PutSecretValueCommand({
      SecretId: id,
      ClientRequestToken: versionId,
      SecretString: text,
      VersionStages: ['AWSPENDING'],
    }),
  );
}

/** Records on a version the time at which it comes into use. */
export async function markInUse(id: string, versionId: string, now: number): Promise<void> {
  const VersionStage = `${sincePrefix}${now}`;
  await secretsClient().send(
    new UpdateSecretVersionStageCommand({ SecretId: id, VersionStage, MoveToVersionId: versionId }),
  );
}

/** Removes the recorded times from a version, so that Secrets Manager can delete it. */
export async function unmarkVersion(id: string, versionId: string, stages: readonly string[]): Promise<void> {
  for (const VersionStage of stages.filter((stage) => sinceOf(stage) > 0)) {
    const command = { SecretId: id, VersionStage, RemoveFromVersionId: versionId };
    await secretsClient().send(new UpdateSecretVersionStageCommand(command));
  }
}

/** Promotes a version to current. The current one becomes the previous one, and the former previous one loses its stage. */
export async function promoteVersion(id: string, versionId: string, current: string): Promise<void> {
  await secretsClient().send(
    new UpdateSecretVersionStageCommand({
      SecretId: id,
      VersionStage: 'AWSCURRENT',
      MoveToVersionId: versionId,
      RemoveFromVersionId: current,
    }),
  );
}

/** The client, created on first use, so that processes without secrets pay nothing. */
function secretsClient(): SecretsManagerClient {
  client ??= new SecretsManagerClient(networkLimits);
  return client;
}
