import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

import { locateModule } from '../locate.ts';

/** How a command has ended. */
export interface Outcome {
  /** 0: it did all; null: it was ended, or could not be started. */
  readonly code: number | null;
  /** The end of what it printed. */
  readonly output: string;
}

/** What is kept of the output. */
const maxOutput = 16_000;

/** Jobs yield to requests. */
const niceness = 10;

/** Variables of the server that would send a command elsewhere, or are secrets that it does not need. */
const ownVariables = new Set([
  'AWS_ENDPOINT_URL_DYNAMODB',
  'DYNAMODB_ENDPOINT',
  'LOCAL_LOGIN',
  'POLICY',
  'PORT',
  'RESPONSE_MODE',
  'ROOT_PASSWORD',
  'TABLE_NAME',
  'TOKEN_KEY',
]);

/** Runs a command of the package in a process of its own, until it ends or is ended. */
export async function runCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Outcome> {
  const kept = Object.entries(process.env).filter(([name]) => !ownVariables.has(name));
  const child = spawn(process.execPath, [fileURLToPath(locateModule('packaging/main')), ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(kept), ...environment },
    signal,
  });
  let output = '';
  const add = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-maxOutput);
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  return new Promise((done) => {
    child.once('spawn', () => {
      try {
        setPriority(child.pid ?? 0, niceness);
      } catch {
        // It has ended already.
      }
    });
    child.once('error', (error) => done({ code: null, output: `${output}${String(error)}\n` }));
    child.once('close', (code) => done({ code, output }));
  });
}
