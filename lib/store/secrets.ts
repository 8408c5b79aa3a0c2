import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';

/** Before the time at which a version was put in use, in one of its stages: Secrets Manager tells when it was made only. */
const sincePrefix = 'DAPPLE-SINCE-';

/** The time that a stage says; 0 where it says none. */
function sinceOf(stage: string): number {
  return stage.startsWith(sincePrefix) ? Number(stage.slice(sincePrefix.length)) : 0;
}

/** The versions of a secret: the one in use, the one before it, and the one that a rotation is about to put in use. */
type Stage = 'AWSCURRENT' | 'AWSPREVIOUS' | 'AWSPENDING';

/** A version of a secret text. */
export interface SecretVersion {
  readonly text: string;
  /** Since when it may be in use: when it was made or, if later, put in use; milliseconds since 1970, 0 where not known. */
  readonly since: number;
}

let client: SecretsManagerClient | undefined;

/** Reads a secret text from Secrets Manager. */
export async function readSecret(id: string): Promise<string> {
  const version = await findSecretVersion(id, 'AWSCURRENT');
  if (version === undefined) throw new Error(`the secret ${id} has no value`);
  return version.text;
}

/** Reads one version of a secret text; undefined where there is none. */
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
    } = await secrets().send(new GetSecretValueCommand({ SecretId: id, VersionStage: stage, VersionId: versionId }));
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
  const { RotationEnabled, VersionIdsToStages } = await secrets().send(new DescribeSecretCommand({ SecretId: id }));
  return { rotates: RotationEnabled === true, stages: new Map(Object.entries(VersionIdsToStages ?? {})) };
}

/** Adds a version that is not in use yet. The same text under the same id again changes nothing. */
export async function addPendingVersion(id: string, versionId: string, text: string): Promise<void> {
  await secrets().send(
    new PutSecretValueCommand({
      SecretId: id,
      ClientRequestToken: versionId,
      SecretString: text,
      VersionStages: ['AWSPENDING'],
    }),
  );
}

/** Notes with a version that it is about to be put in use. */
export async function markInUse(id: string, versionId: string, now: number): Promise<void> {
  const VersionStage = `${sincePrefix}${now}`;
  await secrets().send(new UpdateSecretVersionStageCommand({ SecretId: id, VersionStage, MoveToVersionId: versionId }));
}

/** Takes such notes off a version, which would keep it from being forgotten. */
export async function unmarkVersion(id: string, versionId: string, stages: readonly string[]): Promise<void> {
  for (const VersionStage of stages.filter((stage) => sinceOf(stage) > 0)) {
    const command = { SecretId: id, VersionStage, RemoveFromVersionId: versionId };
    await secrets().send(new UpdateSecretVersionStageCommand(command));
  }
}

/** Puts a version in use; the one in use until now becomes the previous one, and the one before that is forgotten. */
export async function promoteVersion(id: string, versionId: string, current: string): Promise<void> {
  await secrets().send(
    new UpdateSecretVersionStageCommand({
      SecretId: id,
      VersionStage: 'AWSCURRENT',
      MoveToVersionId: versionId,
      RemoveFromVersionId: current,
    }),
  );
}

/** Made on first use, so that a process that needs no secret pays nothing. */
function secrets(): SecretsManagerClient {
  client ??= new SecretsManagerClient();
  return client;
}
