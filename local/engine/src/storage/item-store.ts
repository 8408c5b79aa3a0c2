import type { KeyBytes } from '../values/key.ts';
import type { Cell, Database } from './database.ts';

/** A stored item: its JSON text as it is answered. */
export interface StoredItem {
  /** Row id. */
  readonly id: number;
  readonly text: string;
  /** Bytes by DynamoDB's rules. */
  readonly size: number;
}

/** An item in a range, with its key in the table. */
export interface FoundItem extends StoredItem {
  readonly key: KeyBytes;
}

/** An item's entry in an index. */
export interface Entry {
  readonly index: number;
  /** The key in the index. */
  readonly key: KeyBytes;
  /** The key in the table. */
  readonly itemKey: KeyBytes;
  readonly id: number;
  /** Bytes of the projection; unused if the index projects the whole item. */
  readonly size: number;
  /** JSON text of the projection; null if the index projects the whole item. */
  readonly projected: string | null;
}

/** A bound of a range of sort keys. */
export interface Bound {
  readonly bytes: Buffer;
  readonly inclusive: boolean;
}

/** A range of items with one hash key. */
export interface ItemRange {
  readonly hash: Buffer;
  readonly from?: Bound | undefined;
  readonly to?: Bound | undefined;
  readonly forward: boolean;
}

/** A position in an index: the key there, and the key in the table. */
export interface EntryPlace {
  readonly key: KeyBytes;
  readonly itemKey: KeyBytes;
}

/** The entries of indexes, each with its item where it projects the whole item. */
const entriesWithItems = 'entries LEFT JOIN items ON items.id = entries.id AND projected IS NULL';
/** The size of an entry; one that projects the whole item is as large as the item. */
const entrySize = 'CASE WHEN projected IS NULL THEN items.size ELSE entries.size END';
/** The columns of an entry that describe its item: row id, text and size. */
const shownItem = `entries.id, coalesce(projected, item), ${entrySize}`;

/** Items and index entries of all tables. */
export class ItemStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(table: number, { hash, range }: KeyBytes): StoredItem | undefined {
    const row = this.#database.first(
      'SELECT id, item, size FROM items WHERE tbl = ? AND pk = ? AND sk = ?',
      table,
      hash,
      range,
    );
    return row === undefined ? undefined : { id: row[0] as number, text: row[1] as string, size: row[2] as number };
  }

  /** An item by its row id. */
  getById(id: number): StoredItem | undefined {
    const row = this.#database.first('SELECT item, size FROM items WHERE id = ?', id);
    return row === undefined ? undefined : { id, text: row[0] as string, size: row[1] as number };
  }

  /** Adds an item; returns its row id, or undefined if the item exists: then nothing is changed. */
  insert(table: number, { hash, range }: KeyBytes, text: string, size: number): number | undefined {
    return this.#database.insert(
      'INSERT INTO items (tbl, pk, sk, size, item) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      table,
      hash,
      range,
      size,
      text,
    );
  }

  replace(id: number, text: string, size: number): void {
    this.#database.run('UPDATE items SET item = ?, size = ? WHERE id = ?', text, size, id);
  }

  delete(id: number): void {
    this.#database.run('DELETE FROM items WHERE id = ?', id);
  }

  putEntry({ index, key, itemKey, id, size, projected }: Entry): void {
    this.#database.run(
      'INSERT OR REPLACE INTO entries (idx, pk, sk, ipk, isk, id, size, projected) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      index,
      key.hash,
      key.range,
      itemKey.hash,
      itemKey.range,
      id,
      size,
      projected,
    );
  }

  deleteEntry(index: number, { key, itemKey }: EntryPlace): void {
    this.#database.run(
      'DELETE FROM entries WHERE idx = ? AND pk = ? AND sk = ? AND ipk = ? AND isk = ?',
      index,
      key.hash,
      key.range,
      itemKey.hash,
      itemKey.range,
    );
  }

  /** The items in a range of a table, ordered by sort key. */
  *range(table: number, range: ItemRange): Generator<StoredItem> {
    const { sql, parameters } = selectItems('id, item, size', table, range);
    for (const [id, text, size] of this.#database.rows(sql, ...parameters)) {
      yield { id: id as number, text: text as string, size: size as number };
    }
  }

  /** Reads a range like `range`, with the keys of the items, which pages of queries do not need. */
  *rangeWithKeys(table: number, range: ItemRange): Generator<FoundItem> {
    const { hash } = range;
    const { sql, parameters } = selectItems('id, item, size, sk', table, range);
    for (const [id, text, size, sk] of this.#database.rows(sql, ...parameters)) {
      yield { id: id as number, text: text as string, size: size as number, key: { hash, range: bytes(sk) } };
    }
  }

  /** The entries in a range of an index with their items, ordered by sort key. */
  *entryRange(index: number, range: ItemRange, after?: EntryPlace): Generator<StoredItem> {
    const { sql, parameters } = selectEntries(shownItem, index, range, after);
    for (const row of this.#database.rows(sql, ...parameters)) yield toStored(row);
  }

  /** Reads a range like `entryRange`, with the keys of entries and items, which pages of queries do not need. */
  *entryRangeWithKeys(
    index: number,
    range: ItemRange,
    after?: EntryPlace,
  ): Generator<FoundItem & { readonly indexKey: KeyBytes }> {
    const { hash } = range;
    const { sql, parameters } = selectEntries(`${shownItem}, entries.sk, ipk, isk`, index, range, after);
    for (const row of this.#database.rows(sql, ...parameters)) {
      yield toFound(row, { hash, range: bytes(row[3]) }, 4);
    }
  }

  /** All items of a table after a position, ordered by key. */
  *scan(table: number, after?: KeyBytes): Generator<FoundItem> {
    const start = after === undefined ? '' : ' AND (pk, sk) > (?, ?)';
    const rows = this.#database.rows(
      `SELECT id, item, size, pk, sk FROM items WHERE tbl = ?${start} ORDER BY pk, sk`,
      table,
      ...(after === undefined ? [] : [after.hash, after.range]),
    );
    for (const [id, text, size, hash, range] of rows) {
      const key = { hash: bytes(hash), range: bytes(range) };
      yield { id: id as number, text: text as string, size: size as number, key };
    }
  }

  /** All entries of an index after a position, with their items. */
  *entryScan(index: number, after?: EntryPlace): Generator<FoundItem & { readonly indexKey: KeyBytes }> {
    const start = after === undefined ? '' : ' AND (entries.pk, entries.sk, ipk, isk) > (?, ?, ?, ?)';
    const starts =
      after === undefined ? [] : [after.key.hash, after.key.range, after.itemKey.hash, after.itemKey.range];
    const rows = this.#database.rows(
      `SELECT ${shownItem}, entries.sk, entries.pk, ipk, isk FROM ${entriesWithItems} WHERE idx = ?${start} ` +
        'ORDER BY entries.pk, entries.sk, ipk, isk',
      index,
      ...starts,
    );
    for (const row of rows) yield toFound(row, { hash: bytes(row[4]), range: bytes(row[3]) }, 5);
  }

  /** Size of the items with one hash key, including their entries in the local indexes. */
  measureCollection(table: number, hash: Buffer, localIndexes: readonly number[]): number {
    const [items] = this.#database.first('SELECT sum(size) FROM items WHERE tbl = ? AND pk = ?', table, hash) ?? [];
    let size = Number(items ?? 0);
    for (const index of localIndexes) {
      const [entries] =
        this.#database.first(
          `SELECT sum(${entrySize}) FROM ${entriesWithItems} WHERE idx = ? AND entries.pk = ?`,
          index,
          hash,
        ) ?? [];
      size += Number(entries ?? 0);
    }
    return size;
  }

  deleteTable(table: number): void {
    this.#database.run('DELETE FROM items WHERE tbl = ?', table);
  }

  deleteIndex(index: number): void {
    this.#database.run('DELETE FROM entries WHERE idx = ?', index);
  }
}

/** The item of a row with the columns of {@link shownItem}. */
function toStored(row: readonly Cell[]): StoredItem {
  const [id, text, size] = row as [number, string | null, number];
  if (text === null) throw new Error(`an index entry without its item: ${String(id)}`);
  return { id, text, size };
}

function toFound(row: readonly Cell[], indexKey: KeyBytes, itemKeyAt: number): FoundItem & { indexKey: KeyBytes } {
  return { ...toStored(row), key: { hash: bytes(row[itemKeyAt]), range: bytes(row[itemKeyAt + 1]) }, indexKey };
}

interface Selection {
  readonly sql: string;
  readonly parameters: Cell[];
}

function selectItems(columns: string, table: number, { hash, from, to, forward }: ItemRange): Selection {
  const sql = rememberText(columns, shapeOf({ from, to, forward, isAfter: false }), () => {
    const direction = forward ? 'ASC' : 'DESC';
    return `SELECT ${columns} FROM items WHERE tbl = ? AND pk = ?${within('sk', from, to)} ORDER BY sk ${direction}`;
  });
  return { sql, parameters: [table, hash, ...boundsOf(from, to)] };
}

function selectEntries(
  columns: string,
  index: number,
  { hash, from, to, forward }: ItemRange,
  after: EntryPlace | undefined,
): Selection {
  const sql = rememberText(columns, shapeOf({ from, to, forward, isAfter: after !== undefined }), () => {
    const direction = forward ? 'ASC' : 'DESC';
    const start = after === undefined ? '' : ` AND (entries.sk, ipk, isk) ${forward ? '>' : '<'} (?, ?, ?)`;
    return (
      `SELECT ${columns} FROM ${entriesWithItems} WHERE idx = ? AND entries.pk = ?${within('entries.sk', from, to)}` +
      `${start} ORDER BY entries.sk ${direction}, ipk ${direction}, isk ${direction}`
    );
  });
  const starts = after === undefined ? [] : [after.key.range, after.itemKey.hash, after.itemKey.range];
  return { sql, parameters: [index, hash, ...boundsOf(from, to), ...starts] };
}

/** The parts of a selection, beside its columns, that determine its text. */
interface Shape extends Pick<ItemRange, 'from' | 'to' | 'forward'> {
  readonly isAfter: boolean;
}

/** A number for each shape. */
function shapeOf({ from, to, forward, isAfter }: Shape): number {
  const kindOf = (bound: Bound | undefined) => (bound === undefined ? 0 : bound.inclusive ? 1 : 2);
  return kindOf(from) * 12 + kindOf(to) * 4 + Number(forward) * 2 + Number(isAfter);
}

/** The texts of selections by their columns and shapes: to put one together and find its statement takes 3 µs. */
const texts = new Map<string, string[]>();

function rememberText(columns: string, shape: number, compose: () => string): string {
  let known = texts.get(columns);
  if (known === undefined) {
    known = [];
    texts.set(columns, known);
  }
  return (known[shape] ??= compose());
}

function within(column: string, from: Bound | undefined, to: Bound | undefined): string {
  const lower = from === undefined ? '' : ` AND ${column} ${from.inclusive ? '>=' : '>'} ?`;
  return to === undefined ? lower : `${lower} AND ${column} ${to.inclusive ? '<=' : '<'} ?`;
}

function boundsOf(from: Bound | undefined, to: Bound | undefined): Buffer[] {
  return [from, to].flatMap((bound) => bound?.bytes ?? []);
}

function bytes(cell: Cell | undefined): Buffer {
  const { buffer, byteOffset, byteLength } = cell as Uint8Array;
  return Buffer.from(buffer, byteOffset, byteLength);
}
