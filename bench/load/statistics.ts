/** Percentiles of times in milliseconds. */
export interface Summary {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** The percentiles of some times; undefined if there are none. */
export function summarise(times: readonly number[]): Summary | undefined {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  const [p50, p95, p99] = [at(0.5), at(0.95), at(0.99)];
  return p50 === undefined || p95 === undefined || p99 === undefined ? undefined : { p50, p95, p99 };
}

/** The geometric mean: of a rate and its inverse it is one. Undefined without numbers. */
export function geometricMean(numbers: readonly number[]): number | undefined {
  if (numbers.length === 0) return undefined;
  return Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);
}

/** A number with three significant digits at most, none of them behind the point from 100 on; `-` for none. */
export function format(number: number | undefined): string {
  if (number === undefined || !Number.isFinite(number)) return '-';
  if (number >= 100) return number.toFixed(0);
  return number.toFixed(number >= 10 ? 1 : 2);
}
