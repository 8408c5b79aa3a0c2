/** The hour of a time in milliseconds, counted from 1970. */
export function hourOf(at: number): number {
  return Math.floor(at / 3_600_000);
}
