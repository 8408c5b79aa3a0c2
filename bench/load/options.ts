import { parseArgs } from 'node:util';

import { standardSize } from './catalogue.ts';
import type { Credentials } from './client.ts';
import type { RunSettings, Target } from './run.ts';

export const help = `npm run bench -- load [options]      measures servers with Rucio's interface under load

  --url <url>            the server to measure; without it, a Dapple of its own that is removed afterwards
  --against <url>        a server to compare it with, such as a Rucio
  --rounds <number>      measures both so many times, row by row in turn (1)
  --pids <pid,...>       processes of the server at --url, for its processor time
  --against-pids <pid,...>
                         those of the server at --against
  --files <number>       files of the catalogue (20000)
  --id <text>            begins the names of the catalogue (load); several can lie on one server
  --seconds <number>     length of a measurement (3)
  --mixed-seconds <number>
                         length of the measurement of the mixed load (20)
  --levels <n,...>       numbers of connections (1,8)
  --only <regex>         measures these rows
  --skip <regex>         leaves these rows out
  --quiet <number>       waits until other programs use fewer processors, and repeats a row up to twice that was disturbed
  --account <name>       account that logs in (root), an administrator; its user and password are those of the environment
  --label <text>, --against-label <text>
                         names of the servers in the tables (Dapple, Rucio)
  --seed-only            makes the catalogue and measures nothing else
  --save <file>          writes what was measured of the server at --url as JSON; rows that are in the file and were not
                         measured again stay
  --compare <file> ...   compares saved measurements instead: pairs of the reference and the server compared with it
  --write                writes the comparison into docs/figures.md
  --help                 this text

Environment: ROOT_USERNAME and ROOT_PASSWORD (ddmlab, secret).`;

/** Options of the command line. */
export interface Options {
  readonly settings: RunSettings;
  /** Undefined: a server of its own. */
  readonly target: Target | undefined;
  readonly label: string;
  readonly against: Target | undefined;
  readonly rounds: number;
  readonly save: string | undefined;
  /** Files to compare. */
  readonly compare: readonly string[];
  readonly isWritten: boolean;
}

/**
 * Reads the command line; undefined if it asks for help.
 *
 * @throws Error that explains a mistake.
 */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      against: { type: 'string' },
      rounds: { type: 'string', default: '1' },
      pids: { type: 'string', default: '' },
      'against-pids': { type: 'string', default: '' },
      files: { type: 'string', default: String(standardSize.files) },
      id: { type: 'string', default: standardSize.id },
      seconds: { type: 'string', default: '3' },
      'mixed-seconds': { type: 'string', default: '20' },
      levels: { type: 'string', default: '1,8' },
      only: { type: 'string' },
      skip: { type: 'string' },
      quiet: { type: 'string' },
      account: { type: 'string', default: 'root' },
      label: { type: 'string', default: 'Dapple' },
      'against-label': { type: 'string', default: 'Rucio' },
      'seed-only': { type: 'boolean', default: false },
      save: { type: 'string' },
      compare: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  if (!values.compare && positionals.length > 0) throw new Error(`${positionals.join(' ')}: not understood`);
  if (positionals.length % 2 > 0) throw new Error('--compare takes pairs of files');
  if (values.compare && positionals.length === 0) throw new Error('--compare takes pairs of files');
  if (values.write && !values.compare && values.against === undefined) {
    throw new Error('--write writes a comparison: it needs --against or --compare');
  }
  const size = { ...standardSize, id: values.id, files: readNumber('files', values.files) };
  const settings: RunSettings = {
    size,
    credentials: readCredentials(values.account),
    levels: readNumbers('levels', values.levels),
    seconds: readNumber('seconds', values.seconds),
    mixedSeconds: readNumber('mixed-seconds', values['mixed-seconds']),
    only: values.only === undefined ? undefined : new RegExp(values.only),
    skip: values.skip === undefined ? undefined : new RegExp(values.skip),
    quiet: values.quiet === undefined ? undefined : { otherCpus: readNumber('quiet', values.quiet), retries: 2 },
    isSeedOnly: values['seed-only'],
  };
  const toTarget = (url: string | undefined, label: string, option: string, pids: string): Target | undefined =>
    url === undefined
      ? undefined
      : { url, label, pids: readNumbers(option, pids), progressFile: progressFileOf(url, size.id, size.files) };
  return {
    settings,
    target: toTarget(values.url, values.label, 'pids', values.pids),
    label: values.label,
    against: toTarget(values.against, values['against-label'], 'against-pids', values['against-pids']),
    rounds: readNumber('rounds', values.rounds),
    save: values.save,
    compare: positionals,
    isWritten: values.write,
  };
}

/** The log-in: the user and the password that `npm start` gives to its first account. */
export function readCredentials(account = 'root'): Credentials {
  const { ROOT_USERNAME: username, ROOT_PASSWORD: password } = process.env;
  return { account, username: username || 'ddmlab', password: password || 'secret' };
}

/** Where the progress of seeding a server is recorded. */
function progressFileOf(url: string, id: string, files: number): string {
  const name = `${new URL(url).host}-${id}-${files}`.replaceAll(/[^\w.-]/g, '-');
  return `node_modules/.cache/load/${name}.json`;
}

function readNumber(option: string, text: string): number {
  const number = Number(text);
  if (text === '' || !Number.isFinite(number) || number < 0) throw new Error(`--${option}: '${text}' is not a number`);
  return number;
}

function readNumbers(option: string, text: string): number[] {
  return text
    .split(',')
    .filter(Boolean)
    .map((part) => readNumber(option, part));
}
