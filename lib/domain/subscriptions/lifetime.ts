/** When a lifetime ends, in milliseconds since 1970, that is given in days from now. */
export function endOf(days: number, now: number): number {
  return now + Math.round(days * 86_400_000);
}
