import packageJson from '../../../package.json' with { type: 'json' };
import { runHere, type ProgramRun } from '../../support/run-program.ts';

/** The module that `npm run <name>` starts. */
export function pathOf(program: 'export' | 'load' | 'recount'): string {
  return /node (\S+)$/.exec(packageJson.scripts[program])?.[1] ?? '';
}

/** Runs a program of operators as `npm run <name>` does, but in this process. */
export function run(
  program: 'export' | 'load' | 'recount',
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ProgramRun> {
  return runHere(pathOf(program), args, environment);
}
