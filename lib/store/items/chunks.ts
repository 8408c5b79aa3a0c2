/** Splits a list into lists of a size; the last one may be shorter. */
export function chunksOf<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_value, n) => list.slice(n * size, (n + 1) * size));
}
