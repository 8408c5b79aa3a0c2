import type { RecordRange } from '../storage/record-store.ts';
import type { FoundStream } from './describe-stream.ts';
import { LazyRecord } from './lazy-record.ts';

/** Records of one stream, for readers in this process. */
interface LazyRange {
  readonly records: readonly LazyRecord[];
  /** There are no more records of the stream up to this sequence number. */
  readonly end: number;
}

/** A range that was read. */
interface Page extends LazyRange {
  readonly stream: number;
  /** The sequence number after which it was read. */
  readonly after: number;
}

/** The most pages that are kept; each holds up to 1 MB of images. */
const maxPages = 3;

/**
 * The pages of streams that were read last. Readers of one process that follow a stream closely share the records in them: each is
 * read and parsed once for all readers. Records never change, and none is ever added before another one.
 */
export class RecentRecords {
  #pages: readonly Page[] = [];

  /** The kept records of a stream that directly follow a sequence number, `limit` at most; undefined if there are none. */
  find(stream: number, after: number, limit = Number.POSITIVE_INFINITY): LazyRange | undefined {
    const page = this.#pages.find((kept) => kept.stream === stream && kept.after <= after && after < kept.end);
    if (page === undefined) return undefined;
    const rest = page.records.filter(({ sequence }) => sequence > after);
    const records = rest.slice(0, limit);
    return { records, end: records.length < rest.length ? (records.at(-1)?.sequence ?? after) : page.end };
  }

  /** Keeps the records that directly follow a sequence number, and returns them. */
  keep({ table, stream }: FoundStream, after: number, { records: stored, end }: RecordRange): LazyRange {
    const records = stored.map((record) => new LazyRecord(record, table.keys));
    if (records.length > 0) {
      this.#pages = [{ stream: stream.id, after, records, end }, ...this.#pages].slice(0, maxPages);
    }
    return { records, end };
  }
}
