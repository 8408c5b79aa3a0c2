import { DatabaseSync } from 'node:sqlite';

/** Invariants between the tables of the engine's database: each query counts the violations. */
const rules: Readonly<Record<string, string>> = {
  'index entries without their item':
    'SELECT count(*) AS rows FROM entries LEFT JOIN items ON items.id = entries.id WHERE items.id IS NULL',
  'index entries that do not say where their item is':
    'SELECT count(*) AS rows FROM entries JOIN items ON items.id = entries.id ' +
    'WHERE items.pk <> entries.ipk OR items.sk <> entries.isk',
  'expiries without their item':
    'SELECT count(*) AS rows FROM expiries LEFT JOIN items ON items.id = expiries.id WHERE items.id IS NULL',
  'items whose latest record in the stream says something else':
    'SELECT count(*) AS rows FROM items JOIN (SELECT keys, max(seq), new FROM records GROUP BY keys) AS latest ' +
    `ON latest.keys = json_object('PK', json(item -> '$.PK'), 'SK', json(item -> '$.SK')) WHERE latest.new <> items.item`,
};

/**
 * Checks the database of a closed engine.
 *
 * @returns the violations, one line each.
 */
export function checkData(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const [integrity] = database.prepare('PRAGMA integrity_check').all();
    const state = String(integrity?.['integrity_check']);
    const broken = Object.entries(rules).flatMap(([rule, sql]) => {
      const rows = Number(database.prepare(sql).get()?.['rows']);
      return rows === 0 ? [] : [`${rows} ${rule}`];
    });
    return [...(state === 'ok' ? [] : [state]), ...broken];
  } finally {
    database.close();
  }
}
