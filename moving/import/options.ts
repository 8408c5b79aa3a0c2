import { clock } from '../../lib/clock.ts';
import { parseDate } from '../../lib/time.ts';
import { parseOptions, text, toggle, type Values } from '../../local/option.ts';
import { describeProgram } from '../../local/programs.ts';
import { helpOption } from '../../local/shared-options.ts';
import { UsageError } from '../rucio/source.ts';
import { sections } from './sections/index.ts';

/** The names of all sections, for the help. */
const names = sections.map(({ name }) => name);

const options = {
  from: text('--from <url>', {
    help: 'the database of the Rucio server, version 1.29 to 41: postgresql://user:password@host:port/database; it is only read',
    read: (given) => given,
  }),
  to: text('--to <target>', {
    help:
      'data:<folder>: the data folder of a local server, which must not run; table:<name>: a table of DynamoDB, made if it is ' +
      'missing; nothing else may use it yet; files:<folder>: gzip files of JSON of DynamoDB, for its import from S3',
    read: (given) => readTarget(given ?? missing('--to')),
  }),
  schema: text('--schema <name>', {
    default: 'the first of the search path',
    help: 'the schema of the tables',
    read: (given) => given,
  }),
  only: text('--only <names>', {
    help: 'only these sections, separated by commas; repeat without it to complete the import',
    read: (given) => (given === undefined ? undefined : readNames(given)),
  }),
  dryRun: toggle('--dry-run', 'reads everything and writes nothing: what would come, and what would not'),
  parallel: text('--parallel <n>', {
    default: '3',
    help: 'ranges that are read at a time, each over a connection',
    read: (given = '3') => readParallel(given),
  }),
  state: text('--state <file>', {
    default: 'beside the target, <target>.import-state',
    help: 'the progress of the import',
    read: (given) => given,
  }),
  log: text('--log <file>', {
    default: 'beside the target, <target>.import-rejected.jsonl',
    help: 'the rejected rows as JSON lines',
    read: (given) => given,
  }),
  now: text('--as-of <time>', {
    default: 'now',
    help: 'the time that the import counts as, from which overdue tasks run',
    read: readTime,
  }),
  help: helpOption,
};

/** The text of `--help`. */
export const help = describeProgram({
  usage: 'npm run import -- --from <database> --to <target> [options]',
  summary: 'a Rucio becomes a Dapple',
  options,
  notes: [
    'An import that was interrupted goes on where it stopped. A finished one that is repeated follows what has changed since.',
    'Environment: TABLE_NAME names the table in a data folder (Dapple); PGPASSWORD; DYNAMODB_ENDPOINT and the variables of the ' +
      'AWS SDK for a table.',
    `Sections: ${names.join(', ')}`,
    'Not taken: other VOs than the default, tokens, messages, traces, heartbeats, naming conventions, the history of requests, ' +
      'of archives and of transfers, deleted metadata, virtual placements, bad PFNs that wait to be located, access times of ' +
      'replicas, and what Dapple counts itself.',
    'Ends with 0 when everything was taken as it is, 3 when some rows were rejected (see the log), 1 after a failure that a ' +
      'repeat may not meet, 2 after a mistake in the options, the database or the target.',
  ],
});

/** Where to write. */
export type TargetOption =
  | { readonly kind: 'data' | 'files'; readonly folder: string }
  | { readonly kind: 'table'; readonly name: string };

/** The options of an import. */
export interface ImportSettings {
  readonly from: string;
  readonly to: TargetOption;
  readonly schema: string | undefined;
  readonly only: readonly string[] | undefined;
  readonly dryRun: boolean;
  readonly parallel: number;
  readonly statePath: string;
  readonly logPath: string;
  readonly now: number;
}

/**
 * Reads the command line; undefined if it asks for help.
 *
 * @throws UsageError.
 */
export function readSettings(args: readonly string[]): ImportSettings | undefined {
  const values = parse(args);
  if (values === undefined) return undefined;
  const { from, to, state, log, ...rest } = values;
  const base = to.kind === 'table' ? to.name : to.folder.replace(/\/+$/, '');
  return {
    ...rest,
    from: readUrl(from ?? missing('--from')),
    to,
    statePath: state ?? `${base}.import-state`,
    logPath: log ?? `${base}.import-rejected.jsonl`,
  };
}

function parse(args: readonly string[]): Values<typeof options> | undefined {
  try {
    return parseOptions(options, args);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}. See --help.`, { cause: error });
  }
}

function missing(option: string): never {
  throw new UsageError(`${option} is missing. See --help.`);
}

function readUrl(given: string): string {
  if (/^postgres(ql)?:\/\//.test(given) && URL.canParse(given)) return given;
  throw new UsageError('--from is not a URL like postgresql://user:password@host:5432/rucio. See --help.');
}

function readTarget(given: string): TargetOption {
  const [, kind, place = ''] = /^(data|files|table):(.+)$/.exec(given) ?? [];
  if (kind === 'data' || kind === 'files') return { kind, folder: place };
  if (kind === 'table' && /^[\w.-]{3,255}$/.test(place)) return { kind, name: place };
  if (kind === 'table') throw new UsageError(`'${place}' is no name of a table: 3 to 255 of a-z, A-Z, 0-9, _, - and .`);
  throw new UsageError(`'${given}' is not a target: --to data:<folder>, table:<name> or files:<folder>. See --help.`);
}

function readNames(given: string): readonly string[] {
  const wanted = given.split(',').map((name) => name.trim());
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length === 0) return wanted;
  throw new UsageError(`There is no section ${unknown.join(', ')}. The sections are ${names.join(', ')}.`);
}

function readParallel(given: string): number {
  if (!/^[1-9]\d?$/.test(given)) throw new UsageError(`'${given}' is not a number of ranges from 1 to 99.`);
  return Number(given);
}

function readTime(given: string | undefined): number {
  const time = given === undefined ? clock.now() : parseDate(given);
  if (time === undefined) throw new UsageError(`'${given}' is not a time like 2026-11-23T12:00:00Z.`);
  return time;
}
