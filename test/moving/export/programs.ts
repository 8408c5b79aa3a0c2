import { execFile } from 'node:child_process';

import packageJson from '../../../package.json' with { type: 'json' };
import { shellEnvironment } from '../../support/server-process.ts';

/** Runs a program of operators, as `npm run <name>` does. */
export function run(
  program: 'export' | 'load' | 'recount',
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ code: unknown; output: string }> {
  const path = /node (\S+)$/.exec(packageJson.scripts[program])?.[1] ?? '';
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path, ...args],
      { env: { ...shellEnvironment(), ...environment } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}
