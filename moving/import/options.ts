import { parseArgs } from 'node:util';

import { clock } from '../../lib/clock.ts';
import { parseDate } from '../../lib/time.ts';
import { UsageError } from '../rucio/source.ts';
import { sections } from './sections/index.ts';

/** The names of all sections, for the help. */
const names = sections.map(({ name }) => name);

/** The help, with lines of at most 100 characters. */
export const help = `npm run import -- --from <database> --to <target> [options]      a Rucio becomes a Dapple

  --from <url>      the database of the Rucio server, version 1.29 to 41:
                    postgresql://user:password@host:port/database; it is only read
  --to data:<folder>  the data folder of a local server, which must not run
  --to table:<name>   a table of DynamoDB, made if it is missing; nothing else may use it yet
  --to files:<folder> gzip files of DynamoDB's JSON, for its import from S3
  --schema <name>   the schema of the tables (default: the first of the search path)
  --only <names>    only these sections, separated by commas; repeat without it to complete the import
  --dry-run         reads everything and writes nothing: what would come, and what would not
  --parallel <n>    ranges that are read at a time, each over a connection (default: 3)
  --state <file>    the progress of the import (default: beside the target, <target>.import-state)
  --log <file>      the rejected rows as JSON lines (default: beside the target, <target>.import-rejected.jsonl)
  --as-of <time>    the time that the import counts as, from which overdue tasks run (default: now)
  --help            this text

An import that was interrupted goes on where it stopped. A finished one that is repeated follows what has changed since.
Environment: TABLE_NAME names the table in a data folder (Dapple); PGPASSWORD; DYNAMODB_ENDPOINT and the variables of the AWS
SDK for a table.

Sections: ${wrap(names, 100)}
Not taken: other VOs than the default, tokens, messages, traces, heartbeats, naming conventions, the history of requests, of
archives and of transfers, deleted metadata, virtual placements, bad PFNs that wait to be located, access times of replicas,
and what Dapple counts itself.
Ends with 0 when everything was taken as it is, 3 when some rows were rejected (see the log), 1 after a failure that a repeat may not
meet, 2 after a mistake in the options, the database or the target.`;

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
  if (values.help === true) return undefined;
  const to = readTarget(values.to ?? missing('--to'));
  const base = to.kind === 'table' ? to.name : to.folder.replace(/\/+$/, '');
  return {
    from: readUrl(values.from ?? missing('--from')),
    to,
    schema: values.schema,
    only: values.only === undefined ? undefined : readNames(values.only),
    dryRun: values['dry-run'] === true,
    parallel: readParallel(values.parallel ?? '3'),
    statePath: values.state ?? `${base}.import-state`,
    logPath: values.log ?? `${base}.import-rejected.jsonl`,
    now: readTime(values['as-of']),
  };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        from: { type: 'string' },
        to: { type: 'string' },
        schema: { type: 'string' },
        only: { type: 'string' },
        'dry-run': { type: 'boolean' },
        parallel: { type: 'string' },
        state: { type: 'string' },
        log: { type: 'string' },
        'as-of': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}. See --help.`, { cause: error });
  }
}

function missing(option: string): never {
  throw new UsageError(`${option} is missing. See --help.`);
}

function readUrl(text: string): string {
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new UsageError('--from is not a URL like postgresql://user:password@host:5432/rucio. See --help.');
}

function readTarget(text: string): TargetOption {
  const [, kind, place = ''] = /^(data|files|table):(.+)$/.exec(text) ?? [];
  if (kind === 'data' || kind === 'files') return { kind, folder: place };
  if (kind === 'table' && /^[\w.-]{3,255}$/.test(place)) return { kind, name: place };
  if (kind === 'table') throw new UsageError(`'${place}' is no name of a table: 3 to 255 of a-z, A-Z, 0-9, _, - and .`);
  throw new UsageError(`'${text}' is not a target: --to data:<folder>, table:<name> or files:<folder>. See --help.`);
}

function readNames(text: string): readonly string[] {
  const wanted = text.split(',').map((name) => name.trim());
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length === 0) return wanted;
  throw new UsageError(`There is no section ${unknown.join(', ')}. The sections are ${names.join(', ')}.`);
}

function readParallel(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new UsageError(`'${text}' is not a number of ranges from 1 to 99.`);
  return Number(text);
}

function readTime(text: string | undefined): number {
  const time = text === undefined ? clock.now() : parseDate(text);
  if (time === undefined) throw new UsageError(`'${text}' is not a time like 2026-11-23T12:00:00Z.`);
  return time;
}

function wrap(words: readonly string[], width: number): string {
  let line = '';
  const lines: string[] = [];
  for (const word of words) {
    if (line.length + word.length + 2 > width) {
      lines.push(line);
      line = '';
    }
    line += `${word}, `;
  }
  return [...lines, line].join('\n          ').replace(/, $/, '');
}
