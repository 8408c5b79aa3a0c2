/** Pages of docs that are written by a program. */
import { readFile } from 'node:fs/promises';

import { format, type FormatConfig } from 'oxfmt';

/**
 * Joins the paragraphs of a page; indentation of their lines is removed. Text is formatted as by `npm run format`, tables without
 * padding: a changed row then changes one line. `.oxfmtrc.json` leaves out the pages that are made this way.
 */
export async function renderPage(name: string, paragraphs: readonly string[]): Promise<string> {
  const config = await readFile(new URL('../../.oxfmtrc.json', import.meta.url), 'utf8');
  const { ignorePatterns: _, ...style } = JSON.parse(config) as FormatConfig & { ignorePatterns?: string[] };
  const { code } = await format(name, paragraphs.map((text) => text.replaceAll(/^ +/gm, '')).join('\n\n'), style);
  return code.replaceAll(/^\|.*\|$/gm, withoutPadding);
}

/** A row of a table whose cells are as wide as their text. */
const withoutPadding = (row: string) => row.replaceAll(/ +(?= \|)|(?<=\| ) +|(?<=---)-+/g, '');

/** A table in Markdown. */
export function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The request of a route with its parameters in braces: `GET /dids/{scope}/{name}/files`. */
export function renderRequest({ method, path }: { readonly method: string; readonly path: string }): string {
  return `\`${method} ${path.replace('**:scope_name', '{scope}/{name}').replaceAll(/(?:\*\*)?:(\w+)/g, '{$1}')}\``;
}
