import { parseArgs } from 'node:util';

import { writeMarkedPart } from '../../test/support/marked-part.ts';
import type { Bench, Figures } from './bench.ts';
import { measureAll, type Measurement } from './measure.ts';

/*
 * Cost of each operation, beside its budget and the least it could cost, in catalogues of several sizes. Units
 * and round trips are checked: the exit code is 1 when an operation is over its budget, or costs more in a larger catalogue
 * although its answer is the same. Times are only printed. `--write` puts the table of the smallest catalogue into
 * docs/access-patterns.md, without the times.
 */

const dimensions = ['roundTrips', 'rru', 'wru'] as const;

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '1000' },
    repetitions: { type: 'string', default: '20' },
    write: { type: 'boolean', default: false },
  },
});
const sizes = values.files.split(',').map(Number);
const bySize: Measurement[][] = [];
for (const files of sizes) {
  const begun = performance.now();
  const measurements = await measureAll(files, Number(values.repetitions), (line) => console.error(line));
  bySize.push(measurements);
  console.log(`\n## ${files.toLocaleString('en')} files beside, ${seconds(performance.now() - begun)} s\n`);
  console.log(renderTable(measurements, { hasTimes: true }));
  checkBudgets(measurements);
}
if (sizes.length > 1) printGrowth(bySize);
if (values.write && process.exitCode === undefined) {
  await writeMarkedPart(
    'docs/access-patterns.md',
    'npm run docs -- costs',
    renderTable(bySize[0] ?? [], { hasTimes: false }),
  );
}

/** The figures of all operations as a Markdown table, with its notes. */
function renderTable(measurements: readonly Measurement[], { hasTimes }: { hasTimes: boolean }): string {
  const notes = measurements.flatMap(({ bench }) => (bench.exception === undefined ? [] : [bench.exception.why]));
  const columns = ['Waves', 'Round trips', 'Budget', 'RRU', 'Budget', 'WRU', 'Budget', 'Floor'];
  const header = ['Operation', ...columns, ...(hasTimes ? ['CPU ms', 'p50 ms', 'p99 ms'] : [])];
  const rows = measurements.map(({ bench, figures, waves, cpu, times }) => {
    const { budget, exception } = bench;
    const note = exception === undefined ? '' : ` (${notes.indexOf(exception.why) + 1})`;
    const cells = dimensions.flatMap((dimension) => {
      const mark = isOver({ bench, figures }, dimension) ? ' **over**' : '';
      return [`${figures[dimension]}${mark}`, String(budget?.[dimension] ?? '-')];
    });
    const measured = [bench.what + note, String(waves), ...cells, ratio(bench, figures)];
    return hasTimes ? [...measured, cpu.toFixed(1), at(times, 0.5), at(times, 0.99)] : measured;
  });
  const lines = [header, ['---', ...header.slice(1).map(() => '--:')], ...rows].map((row) => `| ${row.join(' | ')} |`);
  return `${lines.join('\n')}\n\n${notes.map((why, index) => `${index + 1}. ${why}`).join('\n')}`;
}

type Dimension = (typeof dimensions)[number];

/** Whether an operation costs more than its budget or, where it has one, its exception allows. */
function isOver({ bench, figures }: Pick<Measurement, 'bench' | 'figures'>, dimension: Dimension): boolean {
  return figures[dimension] > limitOf(bench, dimension);
}

function limitOf({ exception, budget }: Bench, dimension: Dimension): number {
  return exception?.[dimension] ?? budget?.[dimension] ?? Number.POSITIVE_INFINITY;
}

function checkBudgets(measurements: readonly Measurement[]): void {
  for (const { bench, figures } of measurements) {
    for (const dimension of dimensions.filter((one) => isOver({ bench, figures }, one))) {
      fail(`${bench.what}: ${figures[dimension]} ${dimension} instead of ${limitOf(bench, dimension)}`);
    }
  }
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

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(0);
}
