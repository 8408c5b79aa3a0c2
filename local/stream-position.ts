import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Consumer } from '../lib/store/stream/owed-changes.ts';
import { makeFolder } from './data-folder.ts';
import { parseSequence } from './engine/src/streams/describe-stream.ts';

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
      // Missing, or truncated by a crash: the reader starts with the oldest stored record. Reading a record twice is
      // harmless.
      const kept = readStored(path);
      return kept?.streamArn === streamArn ? new Map(Object.entries(kept.positions)) : new Map();
    },
    write: (streamArn, positions) => {
      makeFolder(dataDir);
      writeFileSync(`${path}.new`, JSON.stringify({ streamArn, positions: Object.fromEntries(positions) }), {
        mode: 0o600,
      });
      renameSync(`${path}.new`, path);
    },
  };
}

/**
 * The last sequence number of a stream that all readers have processed: 0 while one of them has processed nothing, Infinity for a
 * stream that they do not read. Without a data folder nobody knows, so nothing is given up.
 */
export function readUpTo(dataDir: string | undefined, streamArn: string): number {
  if (dataDir === undefined) return 0;
  const stored = Object.values(readers).map((reader) => readStored(join(dataDir, positionFileOf(reader))));
  const known = stored.filter((file) => file !== undefined);
  if (known.length > 0 && !known.some((file) => file.streamArn === streamArn)) return Number.POSITIVE_INFINITY;
  // The engine has one shard for each stream.
  const positions = stored.map((file) =>
    file?.streamArn === streamArn ? Object.values(file.positions)[0] : undefined,
  );
  return Math.min(...positions.map((position) => (position === undefined ? 0 : parseSequence(position))));
}

/** The sequence number up to which each reader has stored that it has followed; undefined: nothing, as far as is known. */
export function readStoredPositions(dataDir: string): ReadonlyMap<string, string | undefined> {
  const entries = Object.values(readers).map((reader): [string, string | undefined] => {
    const stored = readStored(join(dataDir, positionFileOf(reader)));
    // The engine has one shard for each stream.
    return [reader, stored === undefined ? undefined : Object.values(stored.positions)[0]];
  });
  return new Map(entries);
}

interface StoredPositions {
  readonly streamArn: string;
  readonly positions: Readonly<Record<string, string>>;
}

function readStored(path: string): StoredPositions | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as StoredPositions;
  } catch {
    return undefined;
  }
}
