import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';

import { program as fileOf } from './programs.ts';
import { shellEnvironment } from './server-process.ts';

/** How a program has ended, and what it has printed. */
export interface ProgramRun {
  readonly code: unknown;
  readonly output: string;
}

/**
 * Runs a program of operators in a process of its own.
 *
 * @param program Its path, such as `moving/main-load.ts`.
 * @param environment Variables in addition to those of this process.
 */
export function runProcess(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ProgramRun> {
  const env = { ...shellEnvironment(), ...environment };
  return new Promise((done) => {
    execFile(process.execPath, [fileOf(program), ...args], { env }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

let runs = 0;

/**
 * Runs a program of operators in this process, one at a time: its main module anew, the modules of this process for all else. It
 * ends as in a process of its own, in a third of the time.
 *
 * @param program Its path, such as `moving/main-load.ts`; the module is evaluated when its work is done.
 * @param environment Variables in addition to those of this process.
 */
export async function runHere(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ProgramRun> {
  const { argv, env, exitCode } = process;
  const { log, error: logError } = console;
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  let output = '';
  const print = (...words: readonly unknown[]) => void (output += `${format(...words)}\n`);
  process.argv = [process.execPath, program, ...args];
  process.env = { ...shellEnvironment(), ...environment };
  process.exitCode = undefined;
  Object.assign(console, { log: print, error: print });
  stdout.write = (text: string | Uint8Array) => {
    output += String(text);
    return true;
  };
  try {
    await import(`${pathToFileURL(resolve(program)).href}?run=${(runs += 1)}`);
    return { code: process.exitCode ?? 0, output };
  } finally {
    Object.assign(process, { argv, env, exitCode });
    Object.assign(console, { log, error: logError });
    stdout.write = write;
  }
}
