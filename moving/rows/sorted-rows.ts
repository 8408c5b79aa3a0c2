import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { chunksOf } from '../../lib/chunks.ts';
import { toJson } from '../../lib/json.ts';
import { canonical } from './canonical.ts';

/** One thing that a server has told: its name among those of its part, and what is compared. */
export interface Row {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A row as stored: key and value are JSON texts, by which rows are sorted and equal ones are told without parsing. */
export interface StoredRow {
  readonly key: string;
  readonly text: string;
}

/** Rows sorted in memory; more are spilled into files of this size. */
const defaultRowsPerRun = 50_000;

/** Separates key and value in a file: JSON has no tabs, and escapes line ends within texts. */
const separator = '\t';

let runs = 0;

/**
 * Sorts rows by key, in memory as far as they fit and then on disk, since servers list in different orders.
 *
 * @param folder Takes the files, which are deleted once they are read.
 * @param rowsPerRun How many rows are sorted in memory.
 */
export async function* sortRows(
  rows: AsyncIterable<Row>,
  folder: string,
  rowsPerRun = defaultRowsPerRun,
): AsyncGenerator<StoredRow> {
  const files: string[] = [];
  let run: string[] = [];
  for await (const { key, value } of rows) {
    run.push(toJson(key) + separator + canonical(value));
    if (run.length < rowsPerRun) continue;
    files.push(await spill(run.sort(), folder));
    run = [];
  }
  run.sort();
  try {
    yield* mergeRuns([...files.map(readRun), fromMemory(run)]);
  } finally {
    await Promise.all(files.map((file) => rm(file, { force: true })));
  }
}

async function spill(lines: readonly string[], folder: string): Promise<string> {
  runs += 1;
  const file = join(folder, `run-${runs}`);
  const handle = await open(file, 'w', 0o600);
  try {
    for (const chunk of chunksOf(lines, 1_000)) await handle.write(`${chunk.join('\n')}\n`);
  } finally {
    await handle.close();
  }
  return file;
}

/** A sorted run that is read line by line. */
type Run = AsyncIterator<string>;

function readRun(file: string): Run {
  return createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })[
    Symbol.asyncIterator
  ]();
}

async function* fromMemory(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** Merges sorted runs. There are few of them: 10^7 rows make 200. */
async function* mergeRuns(sources: readonly Run[]): AsyncGenerator<StoredRow> {
  const heads = await Promise.all(sources.map(headOf));
  for (;;) {
    let least = -1;
    for (const [index, head] of heads.entries()) {
      if (head !== undefined && (least === -1 || head < (heads[least] as string))) least = index;
    }
    if (least === -1) return;
    yield readLine(heads[least] as string);
    heads[least] = await headOf(sources[least] as Run);
  }
}

async function headOf(run: Run): Promise<string | undefined> {
  const { done, value } = await run.next();
  return done === true ? undefined : value;
}

function readLine(line: string): StoredRow {
  const end = line.indexOf(separator);
  return { key: line.slice(0, end), text: line.slice(end + 1) };
}
