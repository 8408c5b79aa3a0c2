import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { build } from 'esbuild';

import { baseMark, isPageName, type PageFiles, type PageName } from '../lib/contract/page-files.ts';
import { projectRoot } from './project-root.ts';

/** The built page, and the files that it was built from, relative to the project. */
export interface BuiltPage {
  readonly page: PageFiles;
  readonly inputs: readonly string[];
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

const pages: Readonly<Record<PageName, { readonly template: string; readonly entryPoint: string }>> = {
  browser: { template: 'browser/index.html', entryPoint: 'browser/src/main.tsx' },
  openapi: { template: 'browser/reference.html', entryPoint: 'browser/src/reference/main.tsx' },
};

/** Builds a page for browsers from `browser/`. Throws an Error of esbuild for a mistake in the sources. */
export async function buildPage(name: PageName): Promise<BuiltPage> {
  const { template, entryPoint } = pages[name];
  const { outputFiles, metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: [entryPoint, 'browser/icon.svg'],
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['es2023', 'chrome114', 'firefox128', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    outdir: 'out',
    // The page shows what the server tells it of the policy; of the contract it has types alone.
    alias: { '#policy': './policies/generic.ts' },
    outbase: 'browser',
    loader: { '.svg': 'copy' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    tsconfig: 'browser/tsconfig.json',
    logLevel: 'silent',
  });
  const files = Object.fromEntries(
    outputFiles.map(({ path, text }) => {
      const extension = /\.\w+$/.exec(path)?.[0] ?? '';
      return [path.slice(join(projectRoot, 'out/').length), { mediaType: mediaTypes[extension] ?? 'text/plain', text }];
    }),
  );
  const main = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entryPoint);
  const names = {
    script: main?.[0],
    style: main?.[1].cssBundle,
    icon: Object.keys(metafile.outputs).find((path) => path.endsWith('.svg')),
    // Modules that the script imports at once are fetched beside it, not after it.
    preloads: main?.[1].imports
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => `<link rel="modulepreload" href="${nameOf(path)}" />`)
      .join('\n    '),
  };
  return {
    page: { html: fillTemplate(await readFile(join(projectRoot, template), 'utf8'), names), files },
    inputs: [template, ...Object.keys(metafile.inputs)],
  };
}

function fillTemplate(html: string, names: Readonly<Record<string, string | undefined>>): string {
  return html.replaceAll(/\{\{(\w+)\}\}/g, (mark, key: string) =>
    mark === baseMark ? mark : nameOf(names[key] ?? ''),
  );
}

function nameOf(path: string): string {
  return path.replace(/^out\//, '');
}

if (import.meta.main) {
  const [name = '', target] = process.argv.slice(2);
  if (!isPageName(name) || target === undefined) throw new Error('node infra/build-page.ts <page> <file>');
  await writeFile(target, JSON.stringify((await buildPage(name)).page));
}
