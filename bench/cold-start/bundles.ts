import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { esbuildOptions } from '../../infra/bundling.ts';
import { projectRoot } from '../../infra/project-root.ts';

/** The bundle of one function, as it is deployed. */
export interface Bundle {
  /** Name of the file in functions/ without its extension. */
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  readonly gzipped: number;
  /** Its parts, the largest first: bytes by package, or by folder of ours. */
  readonly parts: ReadonlyMap<string, number>;
}

/**
 * Bundles functions, with the options of the stack, into a folder: each as `<name>/index.mjs`.
 *
 * @param names The files in functions/ without their extension; absent: all.
 */
export async function buildBundles(folder: string, names?: readonly string[]): Promise<Bundle[]> {
  const files = globSync(join(projectRoot, 'functions/*.ts'))
    .filter((file) => names?.includes(basename(file, '.ts')) ?? true)
    .toSorted();
  // In one run, so that shared files are read once; without splitting each bundle is complete.
  const { metafile } = await build({
    ...esbuildOptions,
    entryPoints: files.map((file) => ({ in: file, out: join(basename(file, '.ts'), 'index') })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    metafile: true,
  });
  const outputs = Object.values(metafile.outputs);
  return Promise.all(
    files.map(async (source) => {
      const name = basename(source, '.ts');
      const output = outputs.find(({ entryPoint }) => entryPoint === relative(projectRoot, source));
      if (output === undefined) throw new Error(`esbuild made nothing of ${name}`);
      const file = join(folder, name, 'index.mjs');
      const contents = await readFile(file);
      return { name, file, bytes: contents.length, gzipped: gzipSync(contents).length, parts: partsOf(output.inputs) };
    }),
  );
}

function partsOf(inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>): Map<string, number> {
  const parts = new Map<string, number>();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const part = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path.split('/').slice(0, 2).join('/');
    parts.set(part, (parts.get(part) ?? 0) + bytesInOutput);
  }
  return new Map([...parts].toSorted(([, a], [, b]) => b - a));
}
