/** Differences between what must be there and what is there, in sentences. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Dataset, SoakFile } from './model.ts';

/** Whether a catalogue has a dataset as its users left it; `found` is undefined where it answers 404. */
export function compareDataset(dataset: Dataset, found: readonly SoakFile[] | undefined): string[] {
  const did = `${dataset.scope}:${dataset.name}`;
  if (dataset.ended) return found === undefined ? [] : [`${did} has ended, and is still there`];
  if (found === undefined) return [`${did} is lost`];
  const describe = ({ name, bytes, adler32 }: SoakFile) => `${name} ${bytes} ${adler32}`;
  const [wanted, there] = [new Set(dataset.files.map(describe)), new Set(found.map(describe))];
  return [
    ...[...wanted.difference(there)].map((file) => `${did} lacks ${file}`),
    ...[...there.difference(wanted)].map((file) => `${did} has ${file} too`),
  ];
}

/** Whether folders have these files, by their paths, with their contents, and no others. */
export function compareFolders(wanted: ReadonlyMap<string, Buffer>, folders: readonly string[]): string[] {
  const there = new Set(folders.flatMap(filesBelow));
  const faults: string[] = [];
  for (const [path, content] of wanted) {
    if (!there.delete(path)) faults.push(`${path} is lost`);
    else if (!readFileSync(path).equals(content)) faults.push(`${path} has another content`);
  }
  return [...faults, ...Array.from(there, (path) => `${path} is not needed any more`)];
}

/** Whether counts are what they must be, by what is counted. */
export function compareCounts(wanted: ReadonlyMap<string, number>, found: ReadonlyMap<string, number>): string[] {
  return [...wanted].flatMap(([what, count]) =>
    (found.get(what) ?? 0) === count ? [] : [`${what}: ${found.get(what) ?? 0} instead of ${count}`],
  );
}

/** The files below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
