import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { runImport, type ImportOutcome } from '../../../moving/import/run-import.ts';
import { StateFile } from '../../../moving/import/state-file.ts';
import { openPostgres } from '../../../moving/rucio/postgres/postgres-source.ts';
import type { Target } from '../../../moving/write/target.ts';
import { useTable } from '../../support/run.ts';

/** The time that the imports of tests count as. */
export const asOf = Date.parse('2026-11-23T12:00:00Z');

/** The table of a data folder. */
export const tableName = 'Dapple';

/** A folder for one test. */
export function newFolder(): { readonly path: string; in(name: string): string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'dapple-import-'));
  return { path, in: (name) => join(path, name), remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Imports in this process. */
export async function importInto(
  target: Target,
  { url, statePath, only }: { readonly url: string; readonly statePath?: string; readonly only?: readonly string[] },
): Promise<ImportOutcome & { readonly odd: readonly string[]; readonly rows: number }> {
  useTable(tableName);
  const source = await openPostgres({ url, connections: 1 });
  const state = new StateFile(statePath);
  let rows = 0;
  try {
    const outcome = await runImport({
      source,
      target,
      state,
      only,
      now: asOf,
      parallel: 1,
      keepsDigests: true,
      begin: () => {},
      progress: (count) => {
        rows += count;
      },
      skip: () => {},
    });
    const odd = Array.from(
      state.rejectedRows(),
      ({ table, row, reason, done }) => `${table} ${row}: ${reason}, ${done}`,
    );
    return { ...outcome, odd, rows };
  } finally {
    await target.close();
    state.close();
    await source.close();
  }
}

/** The items in a data folder that no server uses, as texts in the order of their keys. */
export function itemsOf(folder: string): string[] {
  const database = new DatabaseSync(join(folder, 'dapple.sqlite'), { readOnly: true });
  try {
    return database
      .prepare('SELECT item FROM items ORDER BY pk, sk')
      .all()
      .map(({ item }) => String(item));
  } finally {
    database.close();
  }
}
