import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';

import { writeMarkedPart } from '../../test/support/marked-part.ts';
import { describeProblems, renderComparison, type Pair } from './compare.ts';
import { help, readOptions, type Options } from './options.ts';
import { withOwnServer } from './own-server.ts';
import { mergeRuns, type RowResult, type RunResult } from './results.ts';
import { runInTurn, type Target } from './run.ts';
import { format } from './statistics.ts';

/*
 * Measures Dapple, or any server with Rucio's interface, under load, and puts it beside another one. Each answer is checked.
 * The exit code is 1 when the server has given a wrong one.
 */

const page = 'docs/figures.md';
const columns = [
  'operation',
  'conn',
  'per s',
  'p50 ms',
  'p95 ms',
  'p99 ms',
  'ttfb',
  'rows/s',
  'n',
  'wrong',
  'CPU ms',
  'own',
  'others',
  'MB',
];

try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) console.log(help);
  else await (options.compare.length > 0 ? compareFiles(options) : measure(options));
} catch (error) {
  // The messages contain the remedy; a stack trace would hide it.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Measures the server of the command line, or a new one. */
async function measure(options: Options): Promise<void> {
  const { target, label, settings } = options;
  if (target !== undefined) return measureTarget(target, options);
  await withOwnServer(settings.credentials, ({ url, pid }) => measureTarget({ url, label, pids: [pid] }, options));
}

async function measureTarget(target: Target, options: Options): Promise<void> {
  const { against, rounds, save, settings } = options;
  const targets = against === undefined ? [target] : [against, target];
  for (const { label, url } of targets) {
    console.log(`## ${label}, ${url}, ${settings.size.files.toLocaleString('en')} files\n`);
  }
  printRow('', columns);
  const isAlone = against === undefined;
  const results = await runInTurn(targets, settings, rounds, (label, row) => printResult(isAlone ? '' : label, row));
  const measured = results.at(-1)?.at(-1);
  if (measured === undefined) throw new Error('--rounds must be 1 at least');
  if (save !== undefined) await saveRun(save, measured);
  const pairs = results.flatMap(([reference, other]): Pair[] =>
    reference === undefined || other === undefined ? [] : [{ reference, measured: other }],
  );
  if (pairs.length > 0 && settings.isSeedOnly !== true) await showComparison(pairs, options);
  if (measured.rows.some(({ errors, skipped }) => errors > 0 || skipped !== undefined)) process.exitCode = 1;
}

function printResult(label: string, row: RowResult): void {
  printRow(label, cellsOf(row));
  for (const [part, latencies] of Object.entries(row.parts ?? {})) {
    const { p50, p95, p99 } = latencies ?? {};
    printRow('', [`  ${part}`, '', '', ...[p50, p95, p99].map(format)]);
  }
  for (const problem of describeProblems(row)) console.log(`  ${problem}`);
  if (row.skipped !== undefined) console.log(`  not measured: ${row.skipped}`);
}

function cellsOf(row: RowResult): string[] {
  const { p50, p95, p99 } = row.latencyMs ?? {};
  const times = [row.rate, p50, p95, p99, row.firstByteMs?.p50, row.rowsPerSecond].map(format);
  const counts = [row.requests, row.errors].map(String);
  const used = [row.serverCpuMs, row.ownCpus, row.otherCpus, row.memoryMb].map(format);
  return [row.name, String(row.connections), ...times, ...counts, ...used];
}

function printRow(label: string, [name = '', ...cells]: readonly string[]): void {
  console.log(name.padEnd(40) + cells.map((cell) => cell.padStart(8)).join('') + (label === '' ? '' : `  ${label}`));
}

/**
 * Writes a measurement into a file. Rows that are in the file already and were not measured again stay, such as those of an
 * earlier seeding.
 *
 * @throws Error if they are of another catalogue.
 */
async function saveRun(file: string, run: RunResult): Promise<void> {
  const earlier = existsSync(file) ? await readRun(file) : undefined;
  await writeFile(file, `${JSON.stringify(earlier === undefined ? run : mergeRuns(earlier, run), null, 1)}\n`);
}

async function readRun(file: string): Promise<RunResult> {
  return JSON.parse(await readFile(file, 'utf8')) as RunResult;
}

/** Compares saved measurements: reference, measured, reference, measured. */
async function compareFiles(options: Options): Promise<void> {
  const runs = await Promise.all(options.compare.map(readRun));
  const pairs = runs.flatMap((reference, index) => {
    const measured = runs[index + 1];
    return index % 2 === 0 && measured !== undefined ? [{ reference, measured }] : [];
  });
  await showComparison(pairs, options);
}

async function showComparison(pairs: readonly Pair[], { isWritten }: Options): Promise<void> {
  const text = renderComparison(pairs);
  console.log(`\n${text}`);
  if (isWritten) await writeMarkedPart(page, 'npm run bench -- load', text);
}
