import type { TestProject } from 'vitest/node';

import { startServer } from '../../infra/local/server.ts';
import { rootUser } from './run.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the interface is, without a final slash. */
    baseUrl: string;
    /** The engine behind a server of our own and its table; undefined with BASE_URL. */
    engine: { endpoint: string; tableName: string } | undefined;
  }
}

const tableName = 'DappleTest';

/**
 * Starts the local server in memory on a free port, once per run. With BASE_URL the tests call that server instead; its
 * root account is named by ROOT_USERNAME and ROOT_PASSWORD.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['BASE_URL'];
  if (given) {
    project.provide('baseUrl', given.replace(/\/$/, ''));
    project.provide('engine', undefined);
    return undefined;
  }
  process.env['LOG_LEVEL'] ??= 'ERROR';
  process.env['PASSWORD_ROUNDS'] ??= '1024';
  const { testFiles } = await project.globTestFiles();
  // The few files of the official client make its programs busy, not the engine.
  const busy = testFiles.length > 10;
  const server = await startServer({ port: 0, inMemory: true, busy, tableName, root: rootUser() });
  project.provide('baseUrl', server.url);
  project.provide('engine', { endpoint: server.endpoint, tableName });
  return () => server.close();
}
