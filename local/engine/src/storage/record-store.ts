import type { Cell, Database } from './database.ts';

/** A stream record: the change of an item. Keys and images are JSON texts. */
export interface StoredRecord {
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly event: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly size: number;
  /** Null if there is an image: it contains them. */
  readonly keys: string | null;
  readonly old: string | null;
  readonly new: string | null;
  /** The item expired; no request deleted it. */
  readonly expired: boolean;
}

/** Records of one stream. */
export interface RecordRange {
  readonly records: StoredRecord[];
  /** There are no more records of the stream up to this sequence number. */
  readonly end: number;
}

/** The records to drop: at most `limit`, `age` milliseconds older than the latest, up to a sequence number. */
interface TrimmedRange {
  readonly age: number;
  readonly limit: number;
  readonly upTo: number;
}

/** Sequence numbers per millisecond. */
const sequencesPerMs = 1_000;

/** The records of all streams. */
export class RecordStore {
  readonly #database: Database;
  #last: number;

  constructor(database: Database) {
    this.#database = database;
    this.#last = this.#end();
  }

  /** Adds a record. Sequence numbers grow with time, even after older records were dropped. */
  append(stream: number, record: Omit<StoredRecord, 'sequence'>): void {
    this.#last = Math.max(this.#last + 1, record.at * sequencesPerMs);
    this.#database.run(
      'INSERT INTO records (seq, stream, at, event, size, keys, old, new, expired) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      this.#last,
      stream,
      record.at,
      record.event,
      record.size,
      record.keys ?? '',
      record.old,
      record.new,
      Number(record.expired),
    );
  }

  /**
   * Reads up to `limit` records of a stream after a sequence number, in order. It skips the records of other streams. A caller that
   * continues after `end` does not skip the same records again.
   */
  read(stream: number, after: number, limit: number): RecordRange {
    const rows = this.#database.all(
      `SELECT seq, at, event, size, keys, old, new, expired FROM records
       WHERE seq > ? AND stream = ? ORDER BY seq LIMIT ?`,
      after,
      stream,
      limit,
    );
    const records = rows.map(toRecord);
    const end = records.length < limit ? this.#end() : records.at(-1)?.sequence;
    return { records, end: Math.max(after, end ?? 0) };
  }

  /** The sequence number of the latest record of a stream. Passes over later ones of other streams. */
  lastOf(stream: number): number | undefined {
    const [last] =
      this.#database.first('SELECT seq FROM records WHERE stream = ? ORDER BY seq DESC LIMIT 1', stream) ?? [];
    return last as number | undefined;
  }

  /** The sequence number of the latest record of all streams. */
  #end(): number {
    return Number(this.#database.first('SELECT max(seq) FROM records')?.[0] ?? 0);
  }

  /** The sequence number after which the next record is added. */
  get last(): number {
    return this.#last;
  }

  /** The time of the latest record of all streams, in milliseconds since 1970; 0: there is none. */
  get latestTime(): number {
    return Math.floor(this.#last / sequencesPerMs);
  }

  /**
   * Drops records of a stream that are much older than the latest one of all streams, and that no reader needs any more.
   *
   * @returns the number of dropped records.
   */
  trim(stream: number, { age, limit, upTo }: TrimmedRange): number {
    const [latest] = this.#database.first('SELECT max(seq) FROM records') ?? [];
    if (typeof latest !== 'number') return 0;
    return this.#database.change(
      'DELETE FROM records WHERE seq IN (SELECT seq FROM records WHERE seq <= ? AND stream = ? ORDER BY seq LIMIT ?)',
      Math.min(upTo, latest - age * sequencesPerMs - 1),
      stream,
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
    keys: row[4] === '' ? null : (row[4] as string),
    old: row[5] as string | null,
    new: row[6] as string | null,
    expired: row[7] === 1,
  };
}
