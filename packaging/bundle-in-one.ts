import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import type { BuildOptions } from 'esbuild';

import { projectRoot } from '../infra/project-root.ts';

/** The file, one folder deep, as most sources are that look for files beside them. */
const fileOf = (folder: string) => join(folder, 'all/all.js');

/**
 * Options of esbuild that bundle programs, and modules that these load by their names, into one file: Node starts it in half the
 * time that it takes for some hundred files. {@link writeLoaders} adds the files to start.
 *
 * @param sources Paths in the repository.
 */
export function bundleInOne(folder: string, sources: readonly string[]) {
  const modules = sources.map((path) => `'${path}': () => import('./${path}')`);
  return {
    absWorkingDir: projectRoot,
    stdin: { contents: `export const modules = {${modules.join(',')}};`, resolveDir: projectRoot, loader: 'ts' },
    outfile: fileOf(folder),
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Prefers the ES modules of packages, which are smaller when bundled.
    mainFields: ['module', 'main'],
    // A faster library in C, which the driver of PostgreSQL takes where it is installed.
    external: ['pg-native'],
    legalComments: 'none',
    metafile: true,
    // CommonJS packages in an ES module still call require(). The alias cannot clash with an import of the bundle.
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
    },
    logLevel: 'warning',
  } satisfies BuildOptions;
}

/**
 * Writes a file for each program, which loads its part of the bundle. They lie in the folder as the sources do in the repository,
 * and can be started as these can.
 *
 * @param preludes Modules whose `begin` is called before the bundle is loaded, by the programs that lie in the same folder.
 */
export function writeLoaders(
  folder: string,
  sources: readonly string[],
  preludes: Readonly<Record<string, string>> = {},
): void {
  for (const source of sources) {
    const path = join(folder, source.replace(/\.ts$/, '.js'));
    const [start = ''] = readFileSync(join(projectRoot, source), 'utf8').split('\n');
    const lines = [
      ...(start.startsWith('#!') ? [start] : []),
      ...(preludes[source] === undefined ? [] : [`import { begin } from '${preludes[source]}';`, 'begin();']),
      `const { modules } = await import('${relative(dirname(path), fileOf(folder))}');`,
      `${source.startsWith('functions/') ? 'export const { handler } = ' : ''}await modules['${source}']();`,
    ];
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${lines.join('\n')}\n`);
  }
}
