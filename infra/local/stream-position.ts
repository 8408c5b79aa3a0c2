import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Consumer } from '../../lib/store/stream/owed-changes.ts';
import { makeFolder } from './data-folder.ts';

/** The names of the readers of a table's stream, by the consumer that each delivers to. */
export const readers: Readonly<Record<Consumer, string>> = { fast: 'stream', slow: 'follow-up' };

/** The name of the file in a data folder that holds the position of a reader. */
export const positionFileOf = (reader: string) => `${reader}-position.json`;

/** By shard, the sequence number of the last processed record. */
export type Positions = Map<string, string>;

/** The position in a stream, stored in a data folder if there is one. */
export interface PositionFile {
  /** The stored positions of a stream; empty for an unknown stream. */
  read(streamArn: string): Positions;
  write(streamArn: string, positions: Positions): void;
}

/** Opens the position file of one reader of a stream; without a data folder nothing is stored. */
export function openPositionFile(dataDir: string | undefined, reader = readers.fast): PositionFile {
  if (dataDir === undefined) return { read: () => new Map(), write: () => {} };
  const path = join(dataDir, positionFileOf(reader));
  return {
    read: (streamArn) => {
      try {
        const kept = JSON.parse(readFileSync(path, 'utf8')) as { streamArn: string; positions: object };
        return kept.streamArn === streamArn ? new Map(Object.entries(kept.positions)) : new Map();
      } catch {
        // Missing, or truncated by a crash: the reader starts with the oldest stored record. Reading a record twice is
        // harmless.
        return new Map();
      }
    },
    write: (streamArn, positions) => {
      makeFolder(dataDir);
      writeFileSync(`${path}.new`, JSON.stringify({ streamArn, positions: Object.fromEntries(positions) }));
      renameSync(`${path}.new`, path);
    },
  };
}
