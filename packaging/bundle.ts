import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { build, type Metafile, type Plugin } from 'esbuild';

import { projectRoot } from '../infra/project-root.ts';
import { groups } from '../lib/contract/index.ts';
import { bundleInOne, writeLoaders } from './bundle-in-one.ts';
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
 * Bundles the program, its threads and the functions.
 *
 * @returns What the bundle is made of.
 */
export async function bundlePackage(folder: string): Promise<Metafile> {
  const functions = groups.map(({ name }) => `functions/${name}.ts`);
  const sources = ['packaging/main.ts', 'local/threads/worker.ts', 'local/threads/reactions-worker.ts', ...functions];
  const one = bundleInOne(folder, sources);
  const { platform, format } = one;
  const target = `node${oldestNode}`;
  const { metafile } = await build({
    ...one,
    target,
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    inject: ['packaging/bundle/node-22.ts'],
    plugins: [adapt],
  });
  const prelude = join(projectRoot, 'packaging/prelude.ts');
  await build({ entryPoints: [prelude], outfile: join(folder, 'packaging/prelude.js'), platform, format, target });
  writeLoaders(folder, sources, { 'packaging/main.ts': './prelude.js' });
  return metafile;
}
