/**
 * Parses CSV (RFC 4180): fields between commas, or semicolons where the first line has no comma, with quotes where needed.
 *
 * @returns Rows of fields without blanks around them; empty lines are left out.
 * @throws Error for a quote without its end.
 */
export function parseCsv(text: string): string[][] {
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const separator = /^[^\n,]*;/.test(source) ? ';' : ',';
  // A quoted field, or one without quotes; then what ends it.
  const pattern = new RegExp(`[ \\t]*(?:"((?:[^"]|"")*)"[ \\t]*|([^"${separator}\\n]*))(${separator}|\\n|$)`, 'y');
  const rows: string[][] = [[]];
  for (let end: string | undefined = separator; end !== '';) {
    const { lastIndex } = pattern;
    const match = pattern.exec(source);
    if (match === null) {
      throw new Error(
        `Line ${source.slice(0, lastIndex).split('\n').length}: a quote has no end, or is within a field.`,
      );
    }
    rows.at(-1)?.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
    end = match[3];
    if (end === '\n') rows.push([]);
  }
  return rows.filter((row) => row.some((value) => value !== ''));
}
