import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { projectRoot } from '../../../infra/project-root.ts';
import { lookUp } from '../../browser/support/find-browser.ts';
import type { Deployment } from './deployment.ts';

const stage = 'dev';

/**
 * Runs test/browser/deployed on the deployed page, below the stage as on a domain of API Gateway. Without a browser it says
 * that the page is left out.
 *
 * @throws Error if a test fails.
 */
export async function openPageInBrowser({ workshop: { emulator, say, timed }, server }: Deployment): Promise<void> {
  if (lookUp() === undefined) return say('the page is left out: no browser was found');
  const child = spawn(
    join(projectRoot, 'node_modules', '.bin', 'vitest'),
    ['run', '--config', 'test/browser/deployed/vitest.config.ts', '--reporter=verbose'],
    {
      cwd: projectRoot,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        API_URL: server.url,
        PAGE_URL: emulator.stageUrl(stage),
        ROOT_USERNAME: server.username,
        ROOT_PASSWORD: server.password,
      },
    },
  );
  const [code] = (await timed('the page in a browser', () => once(child, 'exit'))) as [number | null];
  if (code !== 0) throw new Error('the deployed page fails in a browser');
}
