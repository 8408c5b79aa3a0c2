const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number) => String(value).padStart(2, '0');

/** Rucio's date on the wire, `Sat, 21 Nov 2026 12:21:38 UTC` (spec/dids.md 1.5), from milliseconds since 1970. */
export function formatDate(ms: number): string {
  const date = new Date(ms);
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  const day = `${two(date.getUTCDate())} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  return `${days[date.getUTCDay()]}, ${day} ${clock} UTC`;
}

/** The date without a zone in `GET /accounts/{account}`, `2026-11-21T12:24:32` (spec/access.md 0.5). */
export function formatIsoDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/** {@link formatDate} for optional dates; absent ones become `null`. */
export function formatOptionalDate(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : formatDate(ms);
}

const isoDate = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z?)?$/;
const namedDate = /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) (?:UTC|GMT)$/;

/**
 * Reads a date in any form that Rucio or spec/interface.md 4.2 accepts: `YYYY-MM-DD`, with a time after a blank or
 * `T`, with a fraction and `Z`, or RFC 1123 with `UTC` or `GMT` (spec/dids.md 3.3).
 *
 * @returns Milliseconds since 1970; undefined if it is not a date.
 */
export function parseDate(text: string): number | undefined {
  const iso = isoDate.exec(text);
  if (iso !== null) return toTime(`${iso[1]}T${iso[2] ?? '00:00:00'}.${(iso[3] ?? '0').padEnd(3, '0').slice(0, 3)}Z`);
  const named = namedDate.exec(text);
  const month = named === null ? -1 : months.indexOf(named[2] ?? '');
  return named === null || month < 0 ? undefined : toTime(`${named[3]}-${two(month + 1)}-${named[1]}T${named[4]}.000Z`);
}

function toTime(iso: string): number | undefined {
  const time = Date.parse(iso);
  // Date.parse turns 30 February into 1 March.
  return Number.isNaN(time) || new Date(time).toISOString() !== iso ? undefined : time;
}
