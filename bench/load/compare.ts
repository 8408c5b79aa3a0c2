import type { RowResult, RunResult } from './results.ts';
import { format, geometricMean } from './statistics.ts';

/** Two measurements, one after the other: of the reference, and of the server that is compared with it. */
export interface Pair {
  readonly reference: RunResult;
  readonly measured: RunResult;
}

/** One operation in all pairs. */
interface Comparison {
  readonly name: string;
  readonly connections: number;
  readonly pairs: readonly { readonly reference: RowResult; readonly measured: RowResult }[];
  /** Whether all answers were right. */
  readonly isRight: boolean;
  readonly ratios: readonly number[];
}

/** Processors that others may use without disturbing a row. */
const maxOtherCpus = 0.3;

/**
 * The rates of two servers side by side, and what to know about them, as Markdown.
 *
 * @throws Error without pairs, or when they were measured on different catalogues.
 */
export function renderComparison(pairs: readonly Pair[]): string {
  const [first] = pairs;
  if (first === undefined) throw new Error('there is nothing to compare');
  const sizes = pairs
    .flatMap(({ reference, measured }) => [reference, measured])
    .map(({ size }) => JSON.stringify(size));
  if (new Set(sizes).size > 1) throw new Error('the catalogues differ');
  const comparisons = compareRows(pairs);
  const labels = [first.reference.label, first.measured.label];
  const header = ['Operation', 'Connections', ...labels.map((label) => `${label} /s`), 'Ratio', 'Ratios of the pairs'];
  const table = renderTable(
    [...header, ...labels.map((label) => `${label} CPU ms`)],
    comparisons.map((comparison) => renderRow(comparison)),
  );
  return [describeRuns(pairs), table, describeMeans(comparisons), ...describeTrouble(pairs)].join('\n\n');
}

/** Rows of all pairs that have both sides, in the order of the first pair. */
function compareRows(pairs: readonly Pair[]): Comparison[] {
  const find = ({ rows }: RunResult, { name, connections }: RowResult) =>
    rows.find((row) => row.name === name && row.connections === connections && row.skipped === undefined);
  return (pairs[0]?.reference.rows ?? []).flatMap((row) => {
    const both = pairs.flatMap((pair) => {
      const [reference, measured] = [find(pair.reference, row), find(pair.measured, row)];
      return reference === undefined || measured === undefined ? [] : [{ reference, measured }];
    });
    if (both.length === 0) return [];
    const isRight = both.every(({ reference, measured }) => reference.errors + measured.errors === 0);
    const ratios = both.map(({ reference, measured }) => measured.rate / reference.rate);
    return [{ name: row.name, connections: row.connections, pairs: both, isRight, ratios }];
  });
}

function renderRow({ name, connections, pairs, ratios }: Comparison): string[] {
  const sides = [pairs.map(({ reference }) => reference), pairs.map(({ measured }) => measured)];
  const rates = sides.map((rows) => format(geometricMean(rows.map(({ rate }) => rate))));
  const costs = sides.map((rows) => format(geometricMean(rows.flatMap(({ serverCpuMs }) => serverCpuMs ?? []))));
  const each = ratios.map(format).join(', ');
  return [name, String(connections), ...rates, format(geometricMean(ratios)), each, ...costs];
}

function describeRuns(pairs: readonly Pair[]): string {
  const [first] = pairs;
  const sides = [first?.reference, first?.measured].map((run) => `${run?.label} ${run?.version}`);
  const { date = '', machine = '', size, seconds = 0 } = first?.measured ?? {};
  return [
    `${sides.join(' and ')}, ${pairs.length === 1 ? 'once each' : `${pairs.length} times in turn`}, on ${date.slice(0, 10)}.`,
    `Machine: ${machine}. Catalogue of ${size?.files.toLocaleString('en')} files; ${seconds} s for each row.`,
  ].join('\n');
}

function describeMeans(comparisons: readonly Comparison[]): string {
  const isNumber = (ratio: number | undefined): ratio is number =>
    ratio !== undefined && ratio > 0 && Number.isFinite(ratio);
  const right = comparisons.filter(({ isRight }) => isRight);
  const ratios = right.map((one) => geometricMean(one.ratios)).filter(isNumber);
  const quiet = right.map((one) => geometricMean(ratiosOfQuietPairs(one))).filter(isNumber);
  const seeding = right.filter(({ name }) => name.startsWith('seed ')).length;
  return [
    `Geometric mean of the ratios of the ${ratios.length} rows without a wrong answer, ${seeding} of them of the seeding:`,
    `${format(geometricMean(ratios))}; the lowest is ${format(Math.min(...ratios))}. Without measurements that others have disturbed:`,
    `${format(geometricMean(quiet))}, of ${quiet.length} rows.`,
  ].join('\n');
}

function ratiosOfQuietPairs({ pairs, ratios }: Comparison): number[] {
  return ratios.filter((_ratio, round) => {
    const pair = pairs[round];
    return pair !== undefined && !isDisturbed(pair.reference) && !isDisturbed(pair.measured);
  });
}

/** A list of wrong answers and of disturbed rows, if there are any. */
function describeTrouble(pairs: readonly Pair[]): string[] {
  const runs = pairs.flatMap(({ reference, measured }, round) => [
    { ...reference, round },
    { ...measured, round },
  ]);
  const lines = runs.flatMap(({ label, rows, round }) => {
    const who = `- ${label}, run ${round + 1}`;
    const wrong = rows.filter(({ errors }) => errors > 0);
    const errors = wrong.map((row) => `${who}, ${nameOf(row)}: ${describeErrors(row)}`);
    return errors.concat(describeDisturbance(who, rows.filter(isDisturbed)));
  });
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function describeDisturbance(who: string, rows: readonly RowResult[]): string[] {
  if (rows.length === 0) return [];
  const used = rows.map(({ otherCpus = 0 }) => otherCpus);
  const range = `${Math.min(...used).toFixed(1)} to ${Math.max(...used).toFixed(1)}`;
  return [`${who}: others used ${range} processors during ${rows.length} rows: ${rows.map(nameOf).join('; ')}`];
}

function nameOf({ name, connections }: RowResult): string {
  return `${name} (${connections})`;
}

function isDisturbed({ otherCpus = 0 }: RowResult): boolean {
  return otherCpus > maxOtherCpus;
}

function describeErrors({ requests, errors, faults = [] }: RowResult): string {
  return `${errors} of ${requests} answers were wrong: ${faults.join('; ')}`;
}

/** The faults of a measurement. */
export function describeProblems(row: RowResult): string[] {
  const disturbed = `others used ${format(row.otherCpus)} processors`;
  return [...(row.errors > 0 ? [describeErrors(row)] : []), ...(isDisturbed(row) ? [disturbed] : [])];
}

/** A Markdown table, aligned; all columns but the first hold numbers. */
export function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_title, column) =>
    Math.max(3, ...[header, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const align = (row: readonly string[]) =>
    widths.map((width, column) =>
      column === 0 ? (row[column] ?? '').padEnd(width) : (row[column] ?? '').padStart(width),
    );
  const line = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [align(header), line, ...rows.map(align)].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
