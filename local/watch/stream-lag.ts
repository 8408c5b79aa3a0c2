import { DatabaseSync } from 'node:sqlite';

import { parseSequence } from '../engine/src/streams/describe-stream.ts';
import { readStoredPositions } from '../stream-position.ts';

/** How far a reader of the stream is behind. */
export interface Lag {
  /** The age of the first record that it has not followed, in seconds; 0: it has followed all. */
  readonly seconds: number;
  readonly records: number;
}

/** More records are not counted. */
const maxCount = 100_000;

/**
 * How far the readers of the stream of a data folder are behind, by their names. The positions on disk are a second old.
 *
 * @param path The database.
 */
export function measureLag(path: string, dataDir: string, now: number): ReadonlyMap<string, Lag> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const first = database.prepare('SELECT at FROM records WHERE seq > ? ORDER BY seq LIMIT 1');
    const count = database.prepare(`SELECT count(*) AS n FROM (SELECT 1 FROM records WHERE seq > ? LIMIT ${maxCount})`);
    const lags = [...readStoredPositions(dataDir)].map(([reader, position]): [string, Lag] => {
      const after = position === undefined ? 0 : parseSequence(position);
      const next = first.get(after) as { at: number } | undefined;
      const seconds = next === undefined ? 0 : Math.max(0, now - next.at) / 1_000;
      return [reader, { seconds, records: Number(count.get(after)?.['n'] ?? 0) }];
    });
    return new Map(lags);
  } finally {
    database.close();
  }
}
