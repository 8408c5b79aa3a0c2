import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { build, type Metafile, type Plugin } from 'esbuild';

import { projectRoot } from '../infra/project-root.ts';
import { groups } from '../lib/contract/index.ts';
import { nameCommands } from './commands.ts';

/** The oldest Node that runs the package: its SQLite returns rows as arrays. */
export const oldestNode = '22.16.0';

/** Modules that need the sources or tools of the repository, and those that stand for them in the package. */
const replaced: Readonly<Record<string, string>> = {
  'local/page-cache.ts': 'packaging/bundle/page-cache.ts',
  'lib/openapi/document.ts': 'packaging/bundle/document.ts',
};

/** Replaces modules, and names the commands of the package where sources name those of the repository. */
const adapt: Plugin = {
  name: 'adapt to the package',
  setup: (plugins) => {
    plugins.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      const name = relative(projectRoot, path);
      const source = join(projectRoot, replaced[name] ?? name);
      const text = await readFile(source, 'utf8');
      return {
        contents: name === 'packaging/commands.ts' ? text : nameCommands(text),
        loader: 'ts',
        resolveDir: join(source, '..'),
      };
    });
  },
};

/**
 * Bundles the program, its threads and the functions, as modules that share what they have in common. They lie in the folder as
 * the sources do in the repository; what they share lies in `chunks`, one folder deep as well.
 *
 * @returns What each bundle is made of.
 */
export async function bundlePackage(folder: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: [
      'packaging/main.ts',
      'local/threads/worker.ts',
      'local/threads/reactions-worker.ts',

      ...groups.map(({ name }) => `functions/${name}.ts`),
    ],
    outdir: folder,
    outbase: '.',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: `node${oldestNode}`,
    // Prefers the ES modules of packages, which are smaller when bundled.
    mainFields: ['module', 'main'],
    // A faster library in C, which the driver of PostgreSQL takes where it is installed.
    external: ['pg-native'],
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    // CommonJS packages in an ES module still call require(). The alias cannot clash with an import of the bundle.
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
    },
    inject: ['packaging/bundle/node-22.ts'],
    plugins: [adapt],
    logLevel: 'warning',
  });
  return metafile;
}
