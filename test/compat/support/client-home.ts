/** The official client, configured for one user in a temporary folder; it does not read the home of the user who runs the tests. */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { inject } from 'vitest';

import { baseUrl } from '../../support/run.ts';

/** Exit status and output of a program. */
export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user of the official client. */
export interface ClientHome {
  /** Runs the command line. */
  readonly rucio: (...args: string[]) => Promise<Outcome>;
  /** Runs the command line with a user who reads what it prints: `answer` gets it so far, and returns a line once. */
  readonly interact: (
    args: readonly string[],
    answer: (printed: string) => Promise<string> | undefined,
  ) => Promise<Outcome>;
  /** Runs a Python module of test/compat or examples/mover. */
  readonly python: (module: string, ...args: string[]) => Promise<Outcome>;
  /** The environment of its programs. */
  readonly environment: NodeJS.ProcessEnv;
  /** The file that keeps the token between commands. */
  readonly tokenFile: string;
  /** Removes the folder. */
  readonly remove: () => Promise<void>;
}

/** The credentials of the log-in. */
interface User {
  readonly account: string;
  readonly username: string;
  readonly password: string;
}

const compat = fileURLToPath(new URL('..', import.meta.url));
const movers = fileURLToPath(new URL('../../../examples/mover', import.meta.url));

/**
 * Makes the client configuration of a user: rucio.cfg, token cache and home directory in a new temporary folder.
 *
 * @param others Further options of the section `client`, or other values.
 * @param bin The folder of the client's programs.
 */
export async function createClientHome(
  { account, username, password }: User,
  others: Readonly<Record<string, string>> = {},
  bin = inject('clientBin'),
): Promise<ClientHome> {
  const folder = await mkdtemp(join(tmpdir(), 'dapple-compat-'));
  await mkdir(join(folder, 'etc'));
  const server = others['rucio_host'] ?? (await baseUrl());
  const user = { account, username, password };
  const settings = { rucio_host: server, auth_host: server, auth_type: 'userpass', ...user, ...others };
  // Python's configuration takes a bare % for the beginning of a reference.
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value.replaceAll('%', '%%')}\n`);
  await writeFile(join(folder, 'etc', 'rucio.cfg'), `[client]\n${lines.join('')}`, { mode: 0o600 });
  const env = {
    PATH: process.env['PATH'],
    LC_ALL: 'C.UTF-8',
    RUCIO_HOME: folder,
    HOME: folder,
    TMPDIR: folder,
    PYTHONPATH: movers,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const start = (program: string, args: string[]) =>
    new Promise<Outcome>((resolve) => {
      const options = { env, cwd: compat, maxBuffer: 2 ** 26 };
      execFile(join(bin, program), args, options, (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr });
      });
    });
  const interact = (args: readonly string[], answer: (printed: string) => Promise<string> | undefined) =>
    new Promise<Outcome>((resolve, reject) => {
      const child = spawn(join(bin, 'rucio'), args, {
        env: { ...env, PYTHONUNBUFFERED: '1' },
        cwd: compat,
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
        answer(stdout)?.then(
          (line) => child.stdin.end(`${line}\n`),
          (error: unknown) => {
            child.kill();
            reject(error);
          },
        );
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      child.once('error', reject);
      child.once('close', (status) => resolve({ status: status ?? -1, stdout, stderr }));
    });
  return {
    rucio: (...args) => start('rucio', args),
    interact,
    python: (module, ...args) => start('python', ['-m', module, ...args]),
    environment: env,
    // The client's own rule: TMPDIR, user, `.rucio_` and user (rucio.common.utils.get_tmp_dir, BaseClient).
    tokenFile: join(folder, userInfo().username, `.rucio_${userInfo().username}`, `auth_token_for_account_${account}`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The rows of the first table that a command printed, without its header. */
export function tableRows({ stdout }: Outcome): string[][] {
  const rows = stdout.split('\n').filter((line) => line.startsWith('|') && !line.startsWith('|-'));
  return rows.slice(1).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The `key : value` or `key:   value` lines that a command printed. */
export function printedFields({ stdout }: Outcome): Record<string, string> {
  const pairs = stdout.split('\n').map((line) => /^(\w+)\s*:\s+(.*?)\s*$/.exec(line));
  return Object.fromEntries(pairs.flatMap((match) => (match === null ? [] : [[match[1] ?? '', match[2] ?? '']])));
}

/** The lines that a command printed below titles such as `Usage:`, which are underlined. */
export function printedSections({ stdout }: Outcome): Record<string, string[]> {
  const sections = stdout.matchAll(/^(\S.*):\n=+\n((?: .*\n)*)/gm);
  const lines = (text: string) => text.split('\n').flatMap((line) => line.trim() || []);
  return Object.fromEntries([...sections].map(([, title = '', block = '']) => [title, lines(block)]));
}
