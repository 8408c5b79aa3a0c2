import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Plugin } from 'esbuild';

/** Changes of source files, by their path from the root of the project. */
export type Edits = ReadonlyMap<string, (contents: string) => string>;

/** Applies edits, one after the other, to the files that esbuild reads; the files do not change. */
export function patchSources(all: readonly Edits[], root: string): Plugin {
  return {
    name: 'patch sources',
    setup: (build) => {
      for (const file of new Set(all.flatMap((edits) => [...edits.keys()]))) {
        const path = join(root, file);
        build.onLoad({ filter: new RegExp(`/${file.replaceAll('.', '\\.')}$`) }, async () => {
          let contents = await readFile(path, 'utf8');
          for (const edits of all) contents = edits.get(file)?.(contents) ?? contents;
          return { contents, loader: 'ts' };
        });
      }
    },
  };
}
