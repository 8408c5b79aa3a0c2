import { useRef, useState } from 'preact/hooks';

import type { PageOf } from '../api/client.ts';
import { writeJson } from '../api/json.ts';
import { exactInteger } from '../format.ts';
import { useAction } from '../load.ts';
import { saveFile } from '../save-file.ts';
import { ErrorNote } from './error-note.tsx';

/** Rows of an export: a larger list is one for a program. */
const maxRows = 10_000;
const pageRows = 500;
const saidMs = 4_000;

/** Takes the rows of a list along: as CSV, as JSON, or to the clipboard for a spreadsheet. */
export function TableExport<T>({
  name,
  load,
  most,
}: {
  name: string;
  /** Rows at most; absent: as many as an export has. */
  most?: number | undefined;
  load: (cursor: string | undefined, limit: number, signal: AbortSignal) => Promise<PageOf<T>>;
}) {
  const { busy, error, run } = useAction();
  const [said, setSaid] = useState('');
  const abort = useRef(new AbortController());
  const take = (end: (rows: readonly T[]) => unknown) =>
    run(async () => {
      const { rows, isPart } = await readAll(load, abort.current.signal, most);
      await end(rows);
      setSaid(`${isPart ? 'The first ' : ''}${exactInteger(rows.length)} rows`);
      setTimeout(() => setSaid(''), saidMs);
    });
  const saveCsv = (rows: readonly T[]) =>
    saveFile(`${name}.csv`, new Blob([writeTable(rows, ',')], { type: 'text/csv' }));
  const saveJson = (rows: readonly T[]) =>
    saveFile(`${name}.json`, new Blob([writeJson(rows, 2)], { type: 'application/json' }));
  return (
    <div class="table-export">
      <span class="hint" role="status">
        {busy ? 'Reading …' : said}
      </span>
      <button type="button" class="quiet small" disabled={busy} onClick={() => void take(saveCsv)}>
        CSV
      </button>
      <button type="button" class="quiet small" disabled={busy} onClick={() => void take(saveJson)}>
        JSON
      </button>
      <button
        type="button"
        class="quiet small"
        disabled={busy}
        onClick={() => void take((rows) => navigator.clipboard.writeText(writeTable(rows, '\t')))}
      >
        Copy rows
      </button>
      {error !== undefined && <ErrorNote error={error} />}
    </div>
  );
}

/** Reads a list to its end, or as many rows as an export has. */
export async function readAll<T>(
  load: (cursor: string | undefined, limit: number, signal: AbortSignal) => Promise<PageOf<T>>,
  signal: AbortSignal,
  most = maxRows,
): Promise<{ readonly rows: readonly T[]; readonly isPart: boolean }> {
  const rows: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await load(cursor, Math.min(pageRows, most - rows.length), signal);
    rows.push(...page.rows);
    cursor = page.next;
  } while (cursor !== undefined && rows.length < most);
  return { rows, isPart: cursor !== undefined };
}

/** The rows with all their members as a table of text, with a line of names. */
function writeTable(rows: readonly unknown[], separator: string): string {
  const records = rows.map((row) => (typeof row === 'object' && row !== null ? row : { value: row }));
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const lines = records.map((record) => names.map((name) => (record as Record<string, unknown>)[name]));
  return [names, ...lines].map((line) => line.map((item) => writeCell(item, separator)).join(separator)).join('\n');
}

/** A cell; no program may take a text of the catalogue for a formula. */
function writeCell(item: unknown, separator: string): string {
  if (item === null || item === undefined) return '';
  if (typeof item === 'number' || typeof item === 'bigint' || typeof item === 'boolean') return String(item);
  const text = typeof item === 'string' ? item : writeJson(item);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return safe.includes(separator) || /["\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
