import { type Path, printPath } from '../expressions/path.ts';
import type { Cursor } from './cursor.ts';

/** The column name of a path in a SELECT: its last name, with the indexes after it. */
export function shownName(path: Path): string {
  const last = path.findLastIndex((step) => typeof step === 'string');
  return path
    .slice(last)
    .map((step) => (typeof step === 'number' ? `[${step}]` : step))
    .join('');
}

/** Records two paths that overlap, or that need a map and a list at the same place. */
export function noteCollisions(cursor: Cursor, paths: readonly Path[]): void {
  for (const [at, path] of paths.entries()) {
    for (const other of paths.slice(0, at)) {
      const shared = path.findIndex((step, i) => step !== other[i]);
      const [left, right] = [path[shared], other[shared]];
      const overlaps = shared < 0 || shared === other.length;
      if (!overlaps && typeof left === typeof right) continue;
      cursor.note(
        `Two document paths ${overlaps ? 'overlap' : 'conflict'} with each other; must remove or rewrite one of these ` +
          `paths; path one: ${printPath(path)}, path two: ${printPath(other)}`,
      );
    }
  }
}
