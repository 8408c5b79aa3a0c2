import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startServerProcess, type ServerProcess } from '../../test/support/server-process.ts';
import type { Credentials } from './client.ts';

/**
 * Runs something with a Dapple of its own, as `npm start` makes it, that keeps its data in a folder which is removed afterwards.
 *
 * @param environment Further variables of the server.
 */
export async function withOwnServer<T>(
  { username, password }: Credentials,
  run: (server: ServerProcess) => Promise<T>,
  environment: Readonly<Record<string, string>> = {},
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'dapple-load-'));
  try {
    // The server writes no record of each request, as by default.
    const root = { ROOT_USERNAME: username, ROOT_PASSWORD: password, LOG_LEVEL: 'WARN' };
    const server = await startServerProcess(['--data', folder], { ...root, ...environment });
    try {
      return await run(server);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
