import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { leftOut } from './batch.ts';
import { formatCount } from './progress.ts';
import type { ImportOutcome } from './run-import.ts';
import type { StateFile } from './state-file.ts';

/** The rows of a run, and the time that it took. */
export interface Effort {
  readonly rows: number;
  readonly seconds: number;
}

/** The lines that tell how an import has ended. */
export function describeOutcome(
  { run, isComplete, written, deleted }: ImportOutcome,
  state: StateFile,
  { rows, seconds }: Effort,
): string[] {
  const items = [...state.totals().values()].reduce((sum, of) => sum + of.items, 0);
  const rate = formatCount(rows / Math.max(seconds, 0.001));
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  return [
    ...describeTables(state),
    `These rows are ${formatCount(items)} items.`,
    `${formatCount(rows)} rows read in ${seconds.toFixed(1)} s (${rate} rows/s), ${peak} MB of memory at most`,
    ...(run > 1
      ? [`Followed the changes: ${formatCount(written)} items written, ${formatCount(deleted)} deleted.`]
      : []),
    ...(isComplete ? [] : ['Not complete: repeat without --only before a server runs on the target.']),
  ];
}

/** The line about DIDs whose rules the old server has not adapted yet. */
export function describeWaiting(dids: number): string[] {
  if (dids === 0) return [];
  return [
    `DIDs that wait for judge-evaluator of the old server: ${formatCount(dids)}. Let it finish before the last run: until then ` +
      'their rules miss locks or keep too many.',
  ];
}

/** The number of rows of each table: present, taken, left out, too old. */
function describeTables(state: StateFile): string[] {
  const without = new Map<string, number>();
  for (const { table, done } of state.rejectedRows()) {
    if (done === leftOut) without.set(table, (without.get(table) ?? 0) + 1);
  }
  const tables = [...state.tables()].filter(([, { rows }]) => rows > 0);
  const width = Math.max(...tables.map(([table]) => table.length), 0);
  const line = (table: string, ...cells: readonly string[]) =>
    `  ${table.padEnd(width)}${cells.map((cell) => cell.padStart(14)).join('')}`;
  return [
    line('table', 'rows', 'taken', 'left out', 'too old'),
    ...tables.map(([table, { rows, expired }]) => {
      const left = without.get(table) ?? 0;
      return line(table, ...[rows, rows - left - expired, left, expired].map(formatCount));
    }),
  ];
}

/**
 * Writes the rejected rows as JSON lines.
 *
 * @returns How many there are, by what was done in which table.
 */
export function writeRejectedRows(state: StateFile, path: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const lines: string[] = [];
  for (const row of state.rejectedRows()) {
    const kind = `${row.table}: ${row.done}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    lines.push(`${JSON.stringify(row)}\n`);
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.join(''));
  return counts;
}

/** The lines about rejected rows. */
export function describeRejectedRows(counts: ReadonlyMap<string, number>, path: string): string[] {
  if (counts.size === 0) return ['No row was rejected.'];
  return [
    `Rejected rows, by what was done with them (${path} has them all):`,
    ...Array.from(counts, ([kind, count]) => `  ${formatCount(count)} of ${kind}`),
  ];
}
