import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** An option of `npm start`: what the parser takes, and what `--help` and docs/operations.md say. */
export interface ServerOption<T = unknown> {
  /** The option as it is typed, such as `--port <number>`. */
  readonly usage: string;
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** The default, as the help names it; absent: none, or that of a switch. */
  readonly default?: string;
  readonly help: string;
  /** Reads what was typed; undefined if nothing was. Throws an Error that explains a mistake. */
  readonly read: (given: string | boolean | readonly (string | boolean)[] | undefined) => T;
}

/** The most threads by default: the main thread passes on all requests and answers. */
const maxThreads = 4;

/** Every option of `npm start`, by the name of its setting. */
export const serverOptions = {
  port: text('--port <number>', {
    default: '`PORT`, or 8080',
    help: 'port of the interface on localhost; 0 for any free one',
    read: (given = process.env['PORT'] || '8080') => readPort(given),
  }),
  dataDir: text('--data <folder>', {
    default: '`.data`',
    help: 'keeps the catalogue there between starts',
    read: (given = '.data') => given,
  }),
  inMemory: toggle('--in-memory', 'keeps nothing'),
  storage: texts('--storage <folder>', {
    default: '`storage` in the data folder',
    help: 'folder in which the files of RSEs may be copied (attribute `mover=posix`) and deleted (`--reaper`); may be repeated',
    read: (given) => given?.map((folder) => resolve(folder)),
  }),
  isReaping: toggle(
    '--reaper',
    'deletes files from storage, on the RSEs for which the reaper is switched on (docs/how-to/free-space.md)',
  ),
  tasks: toggle(
    '--no-tasks',
    'serves requests and does nothing by itself: no rule is placed, repaired or removed, no file copied or deleted; for a comparison after a move (docs/how-to/move-in.md)',
  ),
  browser: toggle('--no-browser', 'serves the interface without the page for browsers'),
  hosts: texts('--allow-host <name>', {
    help: 'another name than `localhost`, `127.0.0.1` and `[::1]` under which it is reached; may be repeated',
    read: (given = []) => given,
  }),
  dynamodbPort: text('--dynamodb-port <number>', {
    help: 'serves the table there as a DynamoDB endpoint on localhost, for the AWS CLI and other tools; 0 for any free port',
    read: (given) => (given === undefined ? undefined : readPort(given)),
  }),
  threads: text('--threads <number>', {
    default: `processors - 1, at most ${maxThreads}`,
    help: 'threads for long requests beside the main one; 0: one thread for everything',
    read: (given) => (given === undefined ? Math.min(availableParallelism() - 1, maxThreads) : readThreads(given)),
  }),
  help: toggle('--help', 'shows this text'),
} satisfies Readonly<Record<string, ServerOption>>;

/** The settings of a server, as the options set them. */
export type Settings = {
  readonly [Name in Exclude<keyof typeof serverOptions, 'help'>]: ReturnType<(typeof serverOptions)[Name]['read']>;
};

/** The environment variables that `npm start` reads, beside those of the functions. */
export const serverVariables: Readonly<Record<string, string>> = {
  PORT: 'port of the interface, unless `--port` is given',
  ROOT_USERNAME: 'user name of the account `root` (`ddmlab`); read when it is created',
  ROOT_PASSWORD: 'its password (`secret`); read when it is created',
  TABLE_NAME: 'name of the table (`Dapple`)',
  DYNAMODB_ENDPOINT: "URL of an engine to use in place of the embedded one, such as AWS's DynamoDB Local",
  LOG_LEVEL: '`WARN`; `INFO` logs one record per request',
  OIDC_CLIENTS_FILE: 'file with the registrations at OpenID providers for log-ins (docs/operations/configuration.md)',
  RSE_CREDENTIALS_FILE:
    'file with the credentials of RSEs whose URLs are to be signed (docs/operations/configuration.md)',
};

/** Parses the command line; undefined if it asks for help. Throws an Error that explains a mistake. */
export function readSettings(args = process.argv.slice(2)): Settings | undefined {
  const entries = Object.entries<ServerOption>(serverOptions).map(
    ([name, option]) => [name, flagOf(option), option] as const,
  );
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: Object.fromEntries(
      entries.map(([name, flag, { type, multiple = false }]) => [
        flag,
        { type, multiple, ...(name === 'help' ? { short: 'h' } : {}) },
      ]),
    ),
  });
  if (values['help'] === true) return undefined;
  const settings = Object.fromEntries(entries.map(([name, flag, { read }]) => [name, read(values[flag])])) as Settings;
  const { storage, dataDir, inMemory } = settings;
  return { ...settings, storage: storage ?? (inMemory ? [] : [resolve(join(dataDir, 'storage'))]) };
}

/** The text that `npm start -- --help` prints. */
export function describeOptions(): string {
  const options = Object.values<ServerOption>(serverOptions).map((option) => [
    option.usage,
    option.help + (option.default === undefined ? '' : ` (default: ${option.default})`),
  ]);
  return [
    'npm start -- [options]      runs Dapple on this machine\n',
    ...describeAll(options),
    '\nEnvironment:\n',
    ...describeAll(Object.entries(serverVariables)),
  ]
    .join('\n')
    .replaceAll('`', '');
}

/** One line per entry and more for long texts, all of which begin at the same column. */
function describeAll(entries: readonly (readonly string[])[]): string[] {
  const column = Math.max(...entries.map(([name = '']) => name.length)) + 4;
  return entries.map(([name = '', help = '']) => {
    const lines = help.match(/\S.{0,85}(?=\s|$)/g) ?? [];
    return `  ${name.padEnd(column - 2)}${lines.join(`\n${' '.repeat(column)}`)}`;
  });
}

/** The name of an option for the parser, which knows `--no-x` as the negative of `x`. */
const flagOf = ({ usage }: ServerOption) => usage.replace(/^--(?:no-)?| .*$/g, '');

interface Reading<Given, T> {
  readonly default?: string;
  readonly help: string;
  readonly read: (given: Given | undefined) => T;
}

function text<T>(usage: string, reading: Reading<string, T>): ServerOption<T> {
  const { read, ...rest } = reading;
  return { usage, type: 'string', ...rest, read: (given) => read(given as string | undefined) };
}

function texts<T>(usage: string, reading: Reading<readonly string[], T>): ServerOption<T> {
  const { read, ...rest } = reading;
  return { usage, type: 'string', multiple: true, ...rest, read: (given) => read(given as string[] | undefined) };
}

/** A switch: off by default, or on if it is named by its negative. */
function toggle(usage: string, help: string): ServerOption<boolean> {
  const isOn = usage.startsWith('--no-');
  return { usage, type: 'boolean', help, read: (given = isOn) => given === true };
}

function readThreads(given: string): number {
  if (!/^\d{1,2}$/.test(given)) throw new Error(`'${given}' is not a number of threads from 0 to 99`);
  return Number(given);
}

function readPort(given: string): number {
  const port = Number(given);
  if (!/^\d+$/.test(given) || port > 65_535) throw new Error(`'${given}' is not a port number`);
  return port;
}
