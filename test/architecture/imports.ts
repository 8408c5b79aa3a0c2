import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { parseSync } from 'oxc-parser';

/** An import by a file, also of types alone. */
export interface Import {
  /** Relative to the project. */
  readonly from: string;
  /** A file, relative to the project, or a package, such as `node:fs`. */
  readonly to: string;
}

/** The folders with code. */
export const sourceFolders = [
  'bench',
  'browser/src',
  'examples',
  'functions',
  'infra',
  'lib',
  'local',
  'moving',
  'packaging',
  'policies',
  'smoke',
  'test',
] as const;

/**
 * The static imports and re-exports of the files of folders.
 *
 * @param project The root of the project.
 * @param folders Relative to it.
 */
export function readImports(project: string, folders: readonly string[]): Import[] {
  const files = folders
    .flatMap((folder) => readdirSync(join(project, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(({ parentPath, name }) => relative(project, join(parentPath, name)));
  return files.flatMap((from) =>
    specifiersOf(join(project, from)).map((specifier) => ({
      from,
      to: specifier.startsWith('.') ? join(dirname(from), specifier) : specifier,
    })),
  );
}

function specifiersOf(path: string): string[] {
  const { module, errors } = parseSync(path, readFileSync(path, 'utf8'));
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.map(({ moduleRequest }) => moduleRequest?.value),
  );
  return [...module.staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported].filter(
    (specifier) => specifier !== undefined,
  );
}
