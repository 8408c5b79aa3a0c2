import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { projectRoot } from '../../../infra/project-root.ts';
import type { Deployment } from './deployment.ts';

/**
 * Tries the deployed API as an operator does in the first hour.
 *
 * @throws Error if a line fails.
 */
export async function smokeTest({ workshop: { timed }, server }: Deployment): Promise<void> {
  const child = spawn(process.execPath, [join(projectRoot, 'smoke/main.ts'), '--url', server.url], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ROOT_USERNAME: server.username, ROOT_PASSWORD: server.password },
  });
  const [code] = (await timed('the smoke test', () => once(child, 'exit'))) as [number | null];
  if (code !== 0) throw new Error('a line of the smoke test fails on the deployed API');
}
