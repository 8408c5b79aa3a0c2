/** Items of the database of a laptop, by their kinds. */
import { DatabaseSync } from 'node:sqlite';

import { clock } from '../../lib/clock.ts';

/** Number and bytes of all items. It costs next to nothing: the engine keeps them. */
export function countItems(path: string): { items: number; bytes: number } {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const row = database
      .prepare('SELECT sum(count) AS items, sum(size) AS bytes FROM totals WHERE id IN (SELECT id FROM tables)')
      .get();
    return { items: Number(row?.['items']), bytes: Number(row?.['bytes']) };
  } finally {
    database.close();
  }
}

/** Items of a kind. */
export interface KindOfItems {
  count: number;
  bytes: number;
}

/** All items by the kinds of docs/data-model.md, with work that is planned for later apart, and the records of the stream. */
export function countKinds(path: string): Map<string, KindOfItems> {
  const kinds = new Map<string, KindOfItems>();
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database.prepare(`SELECT item ->> '$.PK' AS pk, item ->> '$.SK' AS sk, size FROM items`).iterate();
    for (const { pk, sk, size } of rows) {
      const kind = kindOf(String(pk), String(sk), clock.now());
      const sum = kinds.get(kind) ?? { count: 0, bytes: 0 };
      kinds.set(kind, sum);
      sum.count += 1;
      sum.bytes += Number(size);
    }
    const records = database.prepare('SELECT count(*) AS n, sum(size) AS bytes FROM records').get();
    kinds.set('records of the stream', { count: Number(records?.['n']), bytes: Number(records?.['bytes']) });
    return kinds;
  } finally {
    database.close();
  }
}

/** The first words of the keys of an item that tell its kind. */
export function kindOf(pk: string, sk: string, now: number): string {
  const [head = '', , third] = pk.split('#');
  const word = sk.split('#')[0] ?? '';
  // Such as a repair, for which a rule does not wait that has become OK by itself.
  if (head === 'WORK' && Number(word) > now) return 'WORK planned';
  if (head === 'D' || head === 'A') return `${head} ${word}`;
  if (head !== 'R') return head;
  if (third === undefined) return `R ${word}`;
  return /^\d+$/.test(third) ? 'R replica' : `R ${third}`;
}
