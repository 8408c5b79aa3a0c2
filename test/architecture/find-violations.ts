import { dirname } from 'node:path';

import type { ForbiddenImport } from './folder-rules.ts';
import type { Import } from './imports.ts';

/** The imports that a rule forbids, as lines. */
export function findForbidden(imports: readonly Import[], rules: readonly ForbiddenImport[]): string[] {
  return imports.flatMap(({ from, to }) =>
    rules.filter((rule) => isForbidden(rule, from, to)).map(({ reason }) => `${from} must not import ${to}: ${reason}`),
  );
}

/**
 * The imports between folders that are in a cycle, or between two cycles, as lines. A folder and one below it are two
 * folders.
 */
export function findCycles(imports: readonly Import[]): string[] {
  let crossing = imports
    .map((one) => ({ ...one, source: dirname(one.from), target: dirname(one.to) }))
    .filter(({ source, target }) => source !== target);
  for (let before = Infinity; crossing.length < before;) {
    before = crossing.length;
    const sources = new Set(crossing.map(({ source }) => source));
    const targets = new Set(crossing.map(({ target }) => target));
    // An import into a folder that imports nothing, or out of one that nobody imports, is in no cycle.
    crossing = crossing.filter(({ source, target }) => sources.has(target) && targets.has(source));
  }
  return crossing.map(({ from, to, source, target }) => `${source} -> ${target} is in a cycle: ${from} imports ${to}`);
}

function isForbidden({ from: source, to: target, except }: ForbiddenImport, from: string, to: string): boolean {
  const match = source.exec(from);
  if (match === null || !target.test(to)) return false;
  return except === undefined || !to.startsWith(except.replace('$1', match[1] ?? ''));
}
