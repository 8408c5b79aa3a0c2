import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { makeFolder } from './data-folder.ts';

/** Of each shard the sequence number of the last record that is done with. */
export type Positions = Map<string, string>;

/** How far a stream has been read, kept in a data folder where there is one. */
export interface PositionFile {
  /** What is known of a stream; nothing of one that the file does not name. */
  read(streamArn: string): Positions;
  write(streamArn: string, positions: Positions): void;
}

/** Opens the file of one of the readers of a stream in a data folder; without a folder nothing is kept. */
export function openPositionFile(dataDir: string | undefined, reader = 'stream'): PositionFile {
  if (dataDir === undefined) return { read: () => new Map(), write: () => {} };
  const path = join(dataDir, `${reader}-position.json`);
  return {
    read: (streamArn) => {
      try {
        const kept = JSON.parse(readFileSync(path, 'utf8')) as { streamArn: string; positions: object };
        return kept.streamArn === streamArn ? new Map(Object.entries(kept.positions)) : new Map();
      } catch {
        // Not there yet, or cut short: everything that the engine still has is read again, which does no harm.
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
