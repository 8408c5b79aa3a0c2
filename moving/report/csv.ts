/** Texts that a spreadsheet would take for a formula. */
const formula = /^[=+\-@\t\r]/;

/** Prints rows as CSV (RFC 4180). A text that a spreadsheet would calculate gets an apostrophe before it. */
export function printCsv(rows: readonly (readonly (string | bigint | number)[])[]): string {
  return rows.map((row) => `${row.map(printCell).join(',')}\r\n`).join('');
}

function printCell(cell: string | bigint | number): string {
  if (typeof cell !== 'string') return String(cell);
  const safe = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
