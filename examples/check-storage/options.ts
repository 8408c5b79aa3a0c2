import { parseArgs } from 'node:util';

import type { Login } from '../register-tree/catalogue.ts';

/** Options: places to compare, and the treatment of differences. */
export interface Options {
  readonly rse: string;
  /** The folder with the files of the RSE; or the file with a listing of them. */
  readonly folder: string | undefined;
  readonly listing: string | undefined;
  readonly prefix: string;
  /** In milliseconds since 1970. */
  readonly listedAt: number | undefined;
  readonly minAgeMs: number;
  /** Whether files are read, and compared with the checksums of the catalogue. */
  readonly sums: boolean;
  readonly quarantines: boolean;
  readonly declaresLost: boolean;
  readonly declaresCorrupt: boolean;
  readonly all: boolean;
  readonly login: Login;
}

/** The help text. */
export const usage = `usage: npm run check-storage -- --rse RSE (--folder FOLDER | --listing FILE) [options]

Compares what is on a storage with the replicas in the catalogue, and prints a line for each difference:
lost (a replica without its file), size (a file of another size), dark (a file without a replica), and with --checksums
corrupt (a file of another content).

  --folder FOLDER    the folder with the files of the RSE on this machine: the prefix of its protocol
  --listing FILE     a listing of the storage: a path on each line, or the size, a tab and the path
  --prefix PREFIX    what each path of the listing begins with before the path in the catalogue
  --listed-at DATE   replicas that have changed since are not lost; default: the date of the listing, for a folder now
  --min-age HOURS    younger files are not dark, since they may be uploaded just now; default: 24
  --checksums        reads every file of the folder, and compares it with the checksum in the catalogue
  --declare-lost     declares lost replicas bad, so that rules have them copied again
  --declare-corrupt  does the same with replicas whose files have another size or content
  --quarantine       puts dark files into quarantine
  --all              does so even if more than a tenth of the storage is lost, corrupt or dark
  --url URL          the catalogue; default: RUCIO_HOST, or http://localhost:8080

Ends with 1 if there are differences that it has not acted on. The account, the user and the password come from RUCIO_ACCOUNT,
RUCIO_USERNAME and RUCIO_PASSWORD (root, ddmlab and secret by default); or a token from RUCIO_AUTH_TOKEN.`;

const hourMs = 3_600_000;

/**
 * Reads the options of the command line.
 *
 * @returns undefined if it asks for help.
 * @throws Error with a sentence for the user.
 */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      rse: { type: 'string' },
      folder: { type: 'string' },
      listing: { type: 'string' },
      prefix: { type: 'string', default: '' },
      'listed-at': { type: 'string' },
      'min-age': { type: 'string', default: '24' },
      checksums: { type: 'boolean', default: false },
      'declare-lost': { type: 'boolean', default: false },
      'declare-corrupt': { type: 'boolean', default: false },
      quarantine: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      url: { type: 'string', default: env['RUCIO_HOST'] ?? 'http://localhost:8080' },
    },
  });
  if (values.help) return undefined;
  const { rse, folder, listing, prefix, all, url } = values;
  if (rse === undefined) throw new Error('Name the RSE with --rse.');
  if ((folder === undefined) === (listing === undefined)) throw new Error('Name either --folder or --listing.');
  if (values.checksums && folder === undefined) throw new Error('--checksums reads files: name their --folder.');
  if (!URL.canParse(url)) throw new Error(`--url ${url} is no URL, such as http://localhost:8080.`);
  return {
    rse,
    folder,
    listing,
    prefix,
    all,
    listedAt: readDate(values['listed-at']),
    minAgeMs: readHours(values['min-age']) * hourMs,
    quarantines: values.quarantine,
    sums: values.checksums,
    declaresLost: values['declare-lost'],
    declaresCorrupt: values['declare-corrupt'],
    login: {
      url: url.replace(/\/$/, ''),
      account: env['RUCIO_ACCOUNT'] ?? 'root',
      username: env['RUCIO_USERNAME'] ?? 'ddmlab',
      password: env['RUCIO_PASSWORD'] ?? 'secret',
      token: env['RUCIO_AUTH_TOKEN'],
    },
  };
}

function readDate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Error(`--listed-at ${text} is no date, such as 2026-11-23T12:00:00Z.`);
  return at;
}

function readHours(text: string): number {
  const hours = Number(text);
  if (!(hours >= 0)) throw new Error(`--min-age ${text} is no number of hours.`);
  return hours;
}
