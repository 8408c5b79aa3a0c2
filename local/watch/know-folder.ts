import { dirname } from 'node:path';

import { clock } from '../../lib/clock.ts';
import { setSurroundings } from '../../lib/surroundings.ts';
import { lastLineOf, readResults, verdictOf } from '../jobs/job-state.ts';
import { readLastBackup } from '../last-backup.ts';
import { measureLag } from './stream-lag.ts';

/**
 * Lets the functions of this thread tell what the data folder knows.
 *
 * @param path The database in it.
 * @param diskProblem What the watch of the disk says; only the main thread has one.
 * @returns How to end that.
 */
export function knowFolder(path: string, diskProblem: () => string | undefined = () => undefined): () => void {
  const folder = dirname(path);
  setSurroundings({
    streamLags: () => {
      const lags = measureLag(path, folder, clock.now());
      return new Map([...lags].map(([reader, { seconds }]) => [reader, seconds]));
    },
    lastBackup: () => readLastBackup(folder),
    diskProblem,
    jobs: () =>
      readResults(folder).map((result) => ({
        name: result.name,
        verdict: verdictOf(result),
        isWell: result.code === 0,
        endedAt: result.endedAt,
        wellAt: result.wellAt,
        said: lastLineOf(result),
      })),
  });
  return () => setSurroundings(undefined);
}
