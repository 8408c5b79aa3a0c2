/** Whether something grows. */

/** The bounds of growth within a life of a server, from its second to its last quarter: a part of it, or an amount. */
export interface Bound {
  readonly part: number;
  readonly amount: number;
}

/**
 * Compares the medians of the second and the last quarter of samples in equal intervals; the first quarter is for warming up.
 *
 * @returns Why it is no flat line; undefined if it is one, or if there are fewer than eight samples.
 */
export function findGrowth(samples: readonly number[], { part, amount }: Bound): string | undefined {
  if (samples.length < 8) return undefined;
  const quarter = Math.floor(samples.length / 4);
  const [before, after] = [median(samples.slice(quarter, 2 * quarter)), median(samples.slice(-quarter))];
  if (after - before <= Math.max(before * part, amount)) return undefined;
  return `grew from ${before.toFixed(0)} to ${after.toFixed(0)}`;
}

/** The middle of numbers; 0 of none. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** The number below which this part of numbers is. */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
