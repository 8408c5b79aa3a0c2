import { parseArgs } from 'node:util';

import type { Bench, Figures } from './bench.ts';
import { measureAll, type Measurement } from './measure.ts';

/*
 * What each operation costs, beside its budget (design, 3) and the least it could cost, in catalogues of several sizes. Units
 * and round trips are checked: the exit code is 1 when an operation goes over its budget, or costs more in a larger
 * catalogue although its answer is the same. Times are only printed.
 */

const { values } = parseArgs({
  options: { files: { type: 'string', default: '1000' }, repetitions: { type: 'string', default: '20' } },
});
const sizes = values.files.split(',').map(Number);
const bySize: Measurement[][] = [];
for (const files of sizes) {
  const begun = performance.now();
  const measurements = await measureAll(files, Number(values.repetitions), (line) => console.error(line));
  bySize.push(measurements);
  console.log(`\n## ${files.toLocaleString('en')} files beside, ${seconds(performance.now() - begun)} s\n`);
  printTable(measurements);
}
if (sizes.length > 1) printGrowth(bySize);

function printTable(measurements: readonly Measurement[]): void {
  const notes: string[] = [];
  printRow(
    'Operation',
    'Waves',
    'Round trips',
    'Budget',
    'RRU',
    'Budget',
    'WRU',
    'Budget',
    'Floor',
    'CPU ms',
    'p50 ms',
    'p99 ms',
  );
  printRow('---', ...Array.from({ length: 11 }, () => '--:'));
  for (const { bench, figures, waves, cpu, times } of measurements) {
    if (bench.exception !== undefined) notes.push(bench.exception.why);
    const note = bench.exception === undefined ? '' : ` (${notes.length})`;
    const cells = (['roundTrips', 'rru', 'wru'] as const).flatMap((dimension) => {
      const paid = figures[dimension];
      const bound = bench.exception?.[dimension] ?? bench.budget?.[dimension];
      if (bound !== undefined && paid > bound) fail(`${bench.what}: ${paid} ${dimension} instead of ${bound}`);
      return [`${paid}${bound !== undefined && paid > bound ? ' **over**' : ''}`, bench.budget?.[dimension] ?? '-'];
    });
    printRow(
      bench.what + note,
      waves,
      ...cells,
      ratio(bench, figures),
      cpu.toFixed(1),
      at(times, 0.5),
      at(times, 0.99),
    );
  }
  console.log(`\n${notes.map((why, index) => `${index + 1}. ${why}`).join('\n')}`);
}

/** How much more is paid than the answer alone would cost. */
function ratio({ floor }: Bench, { rru, wru }: Figures): string {
  const parts = [
    ...(floor?.rru === undefined ? [] : [rru / floor.rru]),
    ...(floor?.wru === undefined ? [] : [wru / floor.wru]),
  ];
  return parts.length === 0 ? '-' : parts.map((part) => part.toFixed(2)).join(', ');
}

function printGrowth(all: readonly Measurement[][]): void {
  console.log(`\n## From ${sizes[0]} to ${sizes.at(-1)} files\n`);
  const [first = []] = all;
  for (const [index, { bench }] of first.entries()) {
    const texts = all.map((measurements) => {
      const { figures, waves } = measurements[index] ?? {};
      return `${waves} waves, ${figures?.rru} RRU, ${figures?.wru} WRU`;
    });
    const same = texts.every((text) => text === texts[0]);
    if (bench.grows !== undefined) console.log(`- ${bench.what}: ${texts.join('; ')}. ${bench.grows}`);
    else if (!same) fail(`${bench.what} does not cost the same in every catalogue: ${texts.join('; ')}`);
  }
  if (process.exitCode === undefined) {
    const fixed = first.filter(({ bench }) => bench.grows === undefined).length;
    console.log(
      `- The other ${fixed} have answers of a fixed size: the same units and waves of requests in every catalogue.`,
    );
  }
}

function fail(reason: string): void {
  console.error(reason);
  process.exitCode = 1;
}

function at(sorted: readonly number[], quantile: number): string {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))]?.toFixed(1) ?? '-';
}

function printRow(...row: readonly (string | number)[]): void {
  console.log(`| ${row.join(' | ')} |`);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(0);
}
