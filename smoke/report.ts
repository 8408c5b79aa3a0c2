import type { Finding, Line } from './line.ts';

/** A line with what it found. */
export interface Told {
  readonly name: string;
  readonly result: Finding['result'];
  readonly tried: string;
  readonly came: string;
  /** The remedy; only of a failure. */
  readonly advice?: string;
  readonly seconds: number;
}

/** A line with its finding and, for a failure, with advice. */
export function tell(line: Line, finding: Finding, seconds: number): Told {
  return {
    name: line.name,
    result: finding.result,
    tried: line.tries,
    came: finding.came,
    ...(finding.result === 'failed' ? { advice: finding.advice ?? line.advice } : {}),
    seconds: Number(seconds.toFixed(3)),
  };
}

const nameWidth = 15;
const margin = ' '.repeat(nameWidth + 11);
const marks = { ok: 'ok     ', failed: 'FAILED ', skipped: 'skipped' } as const;

/** A line as people read it. */
export function formatLine({ name, result, tried, came, advice }: Told): string {
  const more = [came, ...(advice === undefined ? [] : [`What to do: ${advice}`])];
  return [`${marks[result]}  ${name.padEnd(nameWidth)}  ${tried}`, ...more.map((text) => margin + text)].join('\n');
}

/** The last line. */
export function formatSum(lines: readonly Told[]): string {
  const count = (wanted: Finding['result']) => lines.filter(({ result }) => result === wanted).length;
  const failures = count('failed');
  const sum = `${count('ok')} ok, ${failures} failed, ${count('skipped')} skipped`;
  return failures === 0
    ? sum
    : `${sum}: ${lines.flatMap(({ name, result }) => (result === 'failed' ? [name] : [])).join(', ')}`;
}
