/** The end of a lifetime of some days from now, in milliseconds since 1970. */
export function endOfLifetime(days: number, now: number): number {
  return now + Math.round(days * 86_400_000);
}
