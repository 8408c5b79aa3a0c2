import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Version {
  readonly id: string;
  readonly createdAt: number;
  readonly stages: Set<string>;
  value?: string | undefined;
}

type Input = Readonly<Record<string, string>>;

/** A stand-in for Secrets Manager with one secret, which does with versions and stages what the real one says it does. */
export interface FakeSecretsManager {
  /** For `AWS_ENDPOINT_URL_SECRETS_MANAGER`. */
  readonly endpoint: string;
  /** Calls so far, by their names. */
  readonly calls: string[];
  /** Begins a rotation as the real one does: with a pending version that has no value yet. Returns its id. */
  beginRotation(): string;
  /** The value with a stage. */
  valueOf(stage: string): string | undefined;
  /** From now on everything fails, or works. */
  fail(isDown: boolean): void;
  close(): void;
}

/** Starts the stand-in; its clock is that of the test. */
export async function startSecretsManager(value: string): Promise<FakeSecretsManager> {
  const calls: string[] = [];
  let isDown = false;
  let versions: Version[] = [{ id: randomUUID(), createdAt: Date.now(), stages: new Set(['AWSCURRENT']), value }];

  const withStage = (stage: string) => versions.find(({ stages }) => stages.has(stage));
  const operations: Readonly<Record<string, (input: Input) => object | undefined>> = {
    DescribeSecret: () => ({
      RotationEnabled: true,
      VersionIdsToStages: Object.fromEntries(versions.map(({ id, stages }) => [id, [...stages]])),
    }),
    GetSecretValue: ({ VersionStage = 'AWSCURRENT', VersionId }) => {
      const version = withStage(VersionStage);
      if (version?.value === undefined || (VersionId !== undefined && VersionId !== version.id)) return undefined;
      return { SecretString: version.value, CreatedDate: version.createdAt / 1000 };
    },
    PutSecretValue: ({ ClientRequestToken = '', SecretString }) => {
      const version = versions.find(({ id }) => id === ClientRequestToken);
      if (version === undefined || (version.value !== undefined && version.value !== SecretString)) return undefined;
      version.value = SecretString;
      return {};
    },
    UpdateSecretVersionStage: ({ MoveToVersionId, RemoveFromVersionId }) => {
      const next = versions.find(({ id }) => id === MoveToVersionId);
      const current = withStage('AWSCURRENT');
      if (next === undefined || current === undefined || current.id !== RemoveFromVersionId) return undefined;
      withStage('AWSPREVIOUS')?.stages.delete('AWSPREVIOUS');
      current.stages.delete('AWSCURRENT');
      current.stages.add('AWSPREVIOUS');
      next.stages.add('AWSCURRENT');
      versions = versions.filter(({ stages }) => stages.size > 0);
      return {};
    },
  };
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const input = JSON.parse(await text(incoming)) as Input;
    const name = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    calls.push(name);
    const result = isDown ? undefined : operations[name]?.(input);
    const error = isDown ? 'AccessDeniedException' : 'ResourceNotFoundException';
    // The SDK would take a test's clock for a wrong one.
    outgoing.sendDate = false;
    outgoing.writeHead(result === undefined ? 400 : 200, { 'Content-Type': 'application/x-amz-json-1.1' });
    outgoing.end(JSON.stringify(result ?? { __type: error, message: error }));
  };
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    beginRotation: () => {
      const id = randomUUID();
      withStage('AWSPENDING')?.stages.delete('AWSPENDING');
      versions.push({ id, createdAt: Date.now(), stages: new Set(['AWSPENDING']) });
      return id;
    },
    valueOf: (stage) => withStage(stage)?.value,
    fail: (next) => {
      isDown = next;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
