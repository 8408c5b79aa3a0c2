/** The frame of the programs that work on a table without a server, such as recount and recover. */
import { requireData } from './data-folder.ts';
import { setEnvironment } from './environment.ts';
import { openEngine, type LocalEngine } from './open-engine.ts';
import { describeOptions, type Options, parseOptions, type Values, wrap } from './option.ts';

/** A program of operators. */
export interface Program<O extends Options> {
  /** How it is started, such as `npm run reap -- [options]`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: O;
  /** The paragraphs of the help behind the options. */
  readonly notes: readonly string[];
  readonly run: (values: Values<O>) => Promise<void>;
}

/** Runs a program with the options of the command line, or prints its help; ends with 1 after a failure. */
export async function runProgram<O extends Options>(program: Program<O>): Promise<void> {
  try {
    const values = parseOptions(program.options, process.argv.slice(2));
    if (values === undefined) console.log(describeProgram(program));
    else await program.run(values);
  } catch (error) {
    console.error(describeFailure(error));
    process.exitCode = 1;
  }
}

/** The text of `--help`. */
export function describeProgram(program: Omit<Program<Options>, 'run'>): string {
  const { usage, summary, options, notes } = program;
  const paragraphs = notes.map((note) => `\n${wrap(note, 120).join('\n')}`);
  return [`${usage}      ${summary}\n`, ...describeOptions(options), ...paragraphs].join('\n').replaceAll('`', '');
}

/** Says how a program is given another table than that of a data folder. */
export function describeTable(rights: string, more = ''): string {
  return (
    `Environment: TABLE_NAME names the table of a deployment, with AWS credentials that may ${rights} it; with ` +
    `DYNAMODB_ENDPOINT, the table is that of another engine.${more === '' ? '' : ` ${more}`}`
  );
}

/** The engine of a data folder, unless the environment names an external table. */
export function openEngineOf(dataDir: string): LocalEngine | undefined {
  const endpoint = process.env['DYNAMODB_ENDPOINT'] || undefined;
  if (endpoint === undefined && process.env['TABLE_NAME'] !== undefined) return undefined;
  const tableName = process.env['TABLE_NAME'] || 'Dapple';
  if (endpoint !== undefined) {
    setEnvironment({ tableName, endpoint });
    return undefined;
  }
  requireData(dataDir);
  // These programs issue no tokens, so the token key in the folder stays unchanged.
  setEnvironment({ tableName });
  return openEngine(dataDir);
}

/** The message of a failure; the table's own exception says more than the one that callers get. */
function describeFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.cause instanceof Error && error.cause.name === 'ResourceNotFoundException') {
    return `There is no table ${process.env['TABLE_NAME']} there. TABLE_NAME is the name of another one.`;
  }
  return error.message;
}
