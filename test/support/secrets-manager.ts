import { randomUUID } from 'node:crypto';

import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  SecretsManagerServiceException,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';

interface Version {
  readonly id: string;
  readonly createdAt: Date;
  readonly stages: Set<string>;
  value?: string | undefined;
}

/** A mock of Secrets Manager with one secret, with versions and stages as AWS documents them. */
export interface MockSecretsManager {
  /** Names of the commands sent so far. */
  readonly calls: string[];
  /** Starts a rotation as AWS does, with a pending version without a value. Returns its id. */
  beginRotation(): string;
  /** The stages of all versions. */
  stages(): readonly string[];
  /** The value with a stage. */
  valueOf(stage: string): string | undefined;
  /** Makes every command fail from now on, or work again. */
  fail(isDown: boolean): void;
  /** Restores the client of the SDK. */
  restore(): void;
}

/**
 * Mocks Secrets Manager for all clients of this process, those that exist and those to come. A second mock replaces the
 * first.
 */
export function mockSecretsManager(value: string): MockSecretsManager {
  const calls: string[] = [];
  let isDown = false;
  let versions: Version[] = [{ id: randomUUID(), createdAt: new Date(), stages: new Set(['AWSCURRENT']), value }];

  const withStage = (stage: string) => versions.find(({ stages }) => stages.has(stage));
  const note = (name: string) => {
    calls.push(name);
    if (isDown) throw accessDenied();
  };
  const moveLabel = (label: string, to: string | undefined, from: string | undefined) => {
    const [next, last] = [versions.find(({ id }) => id === to), versions.find(({ id }) => id === from)];
    if (to === undefined ? !last?.stages.delete(label) : next === undefined) throw notFound();
    next?.stages.add(label);
    return {};
  };
  const mock = mockClient(SecretsManagerClient);
  mock.on(DescribeSecretCommand).callsFake(() => {
    note('DescribeSecret');
    return {
      RotationEnabled: true,
      VersionIdsToStages: Object.fromEntries(versions.map(({ id, stages }) => [id, [...stages]])),
    };
  });
  mock.on(GetSecretValueCommand).callsFake(({ VersionStage = 'AWSCURRENT', VersionId }) => {
    note('GetSecretValue');
    const version = withStage(VersionStage);
    if (version?.value === undefined || (VersionId !== undefined && VersionId !== version.id)) throw notFound();
    return { SecretString: version.value, CreatedDate: version.createdAt, VersionStages: [...version.stages] };
  });
  mock.on(PutSecretValueCommand).callsFake(({ ClientRequestToken, SecretString }) => {
    note('PutSecretValue');
    const version = versions.find(({ id }) => id === ClientRequestToken);
    if (version === undefined || (version.value !== undefined && version.value !== SecretString)) throw notFound();
    version.value = SecretString;
    return {};
  });
  mock.on(UpdateSecretVersionStageCommand).callsFake(({ VersionStage, MoveToVersionId, RemoveFromVersionId }) => {
    note('UpdateSecretVersionStage');
    if (VersionStage !== 'AWSCURRENT') return moveLabel(VersionStage, MoveToVersionId, RemoveFromVersionId);
    const next = versions.find(({ id }) => id === MoveToVersionId);
    const current = withStage('AWSCURRENT');
    if (next === undefined || current === undefined || current.id !== RemoveFromVersionId) throw notFound();
    withStage('AWSPREVIOUS')?.stages.delete('AWSPREVIOUS');
    current.stages.delete('AWSCURRENT');
    current.stages.add('AWSPREVIOUS');
    next.stages.add('AWSCURRENT');
    versions = versions.filter(({ stages }) => stages.size > 0);
    return {};
  });
  return {
    calls,
    beginRotation: () => {
      const id = randomUUID();
      withStage('AWSPENDING')?.stages.delete('AWSPENDING');
      versions.push({ id, createdAt: new Date(), stages: new Set(['AWSPENDING']) });
      return id;
    },
    stages: () => versions.flatMap(({ stages }) => Array.from(stages)),
    valueOf: (stage) => withStage(stage)?.value,
    fail: (next) => {
      isDown = next;
    },
    restore: () => mock.restore(),
  };
}

const failure = { $fault: 'client', $metadata: {} } as const;

function notFound(): ResourceNotFoundException {
  return new ResourceNotFoundException({ ...failure, message: 'ResourceNotFoundException' });
}

function accessDenied(): SecretsManagerServiceException {
  const name = 'AccessDeniedException';
  return new SecretsManagerServiceException({ ...failure, name, message: name });
}
