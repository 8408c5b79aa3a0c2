import { execFile } from 'node:child_process';
import { join } from 'node:path';

import type { Told } from '../../smoke/report.ts';
import { shellEnvironment } from '../support/server-process.ts';

/** How the program ended. */
export interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** With `--json`. */
  lines(): readonly Told[];
  /** The line of a name. */
  line(name: string): Told;
}

/** Runs the smoke test as `npm run smoke` does. */
export function runSmoke(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Run> {
  const env = { ...shellEnvironment(), ROOT_USERNAME: '', ROOT_PASSWORD: '', ...environment };
  return new Promise((resolve) => {
    const program = join(import.meta.dirname, '../../smoke/main.ts');
    execFile(process.execPath, [program, ...args], { env, maxBuffer: 1e7 }, (error, stdout, stderr) => {
      const lines = () => (JSON.parse(stdout) as { lines: readonly Told[] }).lines;
      resolve({
        status: error === null ? 0 : Number(error.code),
        stdout,
        stderr,
        lines,
        line: (name) => {
          const found = lines().find((line) => line.name === name);
          if (found === undefined) throw new Error(`there is no line ${name}: ${stdout}${stderr}`);
          return found;
        },
      });
    });
  });
}
