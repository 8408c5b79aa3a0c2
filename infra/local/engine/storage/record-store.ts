import type { Cell, Database } from './database.ts';

/** A change of an item, as a stream keeps it. Images are JSON texts. */
export interface StoredRecord {
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly event: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly size: number;
  readonly keys: string;
  readonly old: string | null;
  readonly new: string | null;
  /** The item's time was over; nobody deleted it. */
  readonly expired: boolean;
}

/** Sequence numbers that a millisecond has room for. */
const perMillisecond = 1_000;

/** The records of all streams. */
export class RecordStore {
  readonly #database: Database;
  #last: number;

  constructor(database: Database) {
    this.#database = database;
    this.#last = Number(database.first('SELECT max(seq) FROM records')?.[0] ?? 0);
  }

  /** Adds a record; sequence numbers grow with time, also when older records are gone. */
  append(stream: number, record: Omit<StoredRecord, 'sequence'>): void {
    this.#last = Math.max(this.#last + 1, record.at * perMillisecond);
    this.#database.run(
      'INSERT INTO records (seq, stream, at, event, size, keys, old, new, expired) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      this.#last,
      stream,
      record.at,
      record.event,
      record.size,
      record.keys,
      record.old,
      record.new,
      Number(record.expired),
    );
  }

  /** Up to `limit` records of a stream after a sequence number, in their order. */
  read(stream: number, after: number, limit: number): StoredRecord[] {
    const rows = this.#database.all(
      `SELECT seq, at, event, size, keys, old, new, expired FROM records
       WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?`,
      stream,
      after,
      limit,
    );
    return rows.map(toRecord);
  }

  /** The sequence numbers of the oldest and the latest record of a stream. */
  extent(stream: number): { readonly first: number; readonly last: number } | undefined {
    const [first, last] = this.#database.first('SELECT min(seq), max(seq) FROM records WHERE stream = ?', stream) ?? [];
    return typeof first === 'number' && typeof last === 'number' ? { first, last } : undefined;
  }

  /** The sequence number after which the next record comes. */
  get last(): number {
    return this.#last;
  }

  /**
   * Drops records that are so much older than the latest one, in milliseconds; at most `limit` at once. Time in which
   * nothing was written does not count, so that a reader that was switched off as well misses nothing.
   *
   * @returns how many it dropped.
   */
  trim(age: number, limit: number): number {
    const [latest] = this.#database.first('SELECT max(seq) FROM records') ?? [];
    if (typeof latest !== 'number') return 0;
    return this.#database.change(
      'DELETE FROM records WHERE seq IN (SELECT seq FROM records WHERE seq < ? ORDER BY seq LIMIT ?)',
      latest - age * perMillisecond,
      limit,
    );
  }

  deleteStream(stream: number): void {
    this.#database.run('DELETE FROM records WHERE stream = ?', stream);
  }
}

function toRecord(row: readonly Cell[]): StoredRecord {
  return {
    sequence: row[0] as number,
    at: row[1] as number,
    event: row[2] as StoredRecord['event'],
    size: row[3] as number,
    keys: row[4] as string,
    old: row[5] as string | null,
    new: row[6] as string | null,
    expired: row[7] === 1,
  };
}
