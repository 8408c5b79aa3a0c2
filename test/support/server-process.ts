import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import packageJson from '../../package.json' with { type: 'json' };
import { compiledModules } from './native-modules.ts';
import { program } from './programs.ts';

/** Cost of a request, from the server's own log. */
export interface RequestRecord {
  readonly operation?: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly rru: number;
  readonly wru: number;
  readonly requests: number;
  readonly roundTrips: number;
}

/** A server in a process of its own, as `npm start` makes it. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Seconds from the start to the word `ready`. */
  readonly startTime: number;
  /** The records of all requests so far, with LOG_LEVEL=INFO. */
  readonly records: readonly RequestRecord[];
  /** Its output so far, line by line. */
  readonly said: readonly string[];
  /** Resident memory of the process in MB. */
  residentMemory(): number;
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>;
  /** Ends the process with SIGINT, as Ctrl-C does. */
  stop(): Promise<void>;
  /** Ends the process with SIGTERM, as systemd does. */
  terminate(): Promise<void>;
}

/** Variables that Dapple's code reads in this process, and those that its entry point reads. */
const settings = new Set([
  'AWS_ENDPOINT_URL_DYNAMODB',
  'DYNAMODB_ENDPOINT',
  'PORT',
  'RESPONSE_MODE',
  'TABLE_NAME',
  'TOKEN_KEY',
]);

/** The environment of this process without the settings of Dapple. */
export function shellEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !settings.has(name));
  return { NODE_COMPILE_CACHE: compiledModules, ...Object.fromEntries(entries) };
}

/** The arguments that `npm start` passes to node. */
const startArguments = packageJson.scripts.start.replace(/^exec node /, '').split(' ');

/** Arguments of node with the file of a program in place of its source. */
const withFiles = (args: readonly string[]) => args.map((arg) => (arg.endsWith('.ts') ? program(arg) : arg));

/**
 * Starts a server as `npm start` does and waits until it is ready.
 *
 * @param args Arguments of `npm start`, for example `--in-memory`.
 * @param environment Variables in addition to those of this process; undefined takes one away.
 * @param command Another program than `npm start` runs.
 * @throws Error with the server's output when it ends before it is ready.
 */
export async function startServerProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
  command: readonly string[] = startArguments,
): Promise<ServerProcess> {
  const started = performance.now();
  const child = spawn(process.execPath, [...withFiles(command), '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...shellEnvironment(), ...environment },
  });
  const records: RequestRecord[] = [];
  const said: string[] = [];
  const url = await ready(child, records, said);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    url,
    pid: child.pid ?? 0,
    startTime: (performance.now() - started) / 1000,
    records,
    said,
    residentMemory: () =>
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
    terminate: () => end('SIGTERM'),
  };
}

function ready(child: ChildProcess, records: RequestRecord[], said: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (line: string) => {
      said.push(line);
      if (line.startsWith('{')) {
        records.push(JSON.parse(line) as RequestRecord);
        return;
      }
      output += `${line}\n`;
      const url = /^ready (\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    };
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on('line', read);
    }
    child.once('exit', () => reject(new Error(`the server ended before it was ready:\n${output}`)));
  });
}
