/**
 * Shortens a list that fails: leaves out smaller and smaller parts while the rest still fails (delta debugging).
 *
 * @param fails Whether a list still fails.
 * @param budget Maximum number of attempts.
 */
export async function shorten<T>(
  list: readonly T[],
  fails: (shorter: readonly T[]) => Promise<boolean>,
  budget: number,
): Promise<readonly T[]> {
  let shortest = list;
  let left = budget;
  for (let run = Math.ceil(list.length / 2); run >= 1 && left > 0; run = run === 1 ? 0 : Math.ceil(run / 2)) {
    for (let start = 0; start < shortest.length && left > 0;) {
      const shorter = shortest.toSpliced(start, run);
      left -= 1;
      if (shorter.length > 0 && (await fails(shorter))) shortest = shorter;
      else start += run;
    }
  }
  return shortest;
}
