import { join } from 'node:path';
import { Script } from 'node:vm';

import { build, type BuildOptions, type Plugin } from 'esbuild';

import { type InstanceGlobals, librariesGlobals, type Libraries } from './instance-globals.ts';
import { findMutation } from './mutations.ts';
import { type Edits, patchSources } from './patch-sources.ts';
import type * as Service from './service/service.ts';
import { smallLimitEdits } from './small-limits.ts';

/** Interface of an instance of the service. */
export type ServiceModule = typeof Service;

/** Evaluates the bundle anew, so that the module has its own state. */
export type Evaluate = (globals: InstanceGlobals) => ServiceModule;

/** The globals that are replaced. */
const replaced = [
  'Date',
  'Math',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'performance',
  'crypto',
  'process',
  'globalThis',
  'instanceSend',
  'fetch',
  'serverTime',
  'libraries',
] as const;

/** How a service differs from the one in lib. */
export interface Variant {
  /** The name of the defect that is put back; absent: none. */
  readonly mutation?: string | undefined;
  /** Whether its limits are small enough to be reached (small-limits.ts). */
  readonly isSmall?: boolean | undefined;
}

/** Bundles by their variants. */
const bundled = new Map<string, Promise<Evaluate>>();
let libraries: Promise<Libraries> | undefined;

/** Bundles a variant of the service; once for each process. */
export function bundleService({ mutation, isSmall = false }: Variant = {}): Promise<Evaluate> {
  const name = `${mutation ?? ''} ${isSmall}`;
  const edits = [...(mutation === undefined ? [] : [findMutation(mutation)]), ...(isSmall ? [smallLimitEdits] : [])];
  const found = bundled.get(name) ?? bundle(edits);
  bundled.set(name, found);
  return found;
}

/** Storages are asked by the `fetch` of the instance, which reaches the simulated ones. */
const simulatedStorages: Edits = new Map([
  [
    'lib/movers/ask-server.ts',
    () => `export const askServer = ({ url, ...question }) => fetch(url, { ...question, redirect: 'manual' });`,
  ],
]);

const root = join(import.meta.dirname, '../..');
const entryPoint = join(import.meta.dirname, 'service/service.ts');

const options = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  mainFields: ['module', 'main'],
  logLevel: 'warning',
  alias: { '#policy': './policies/generic.ts' },
} satisfies BuildOptions;

async function bundle(edits: readonly Edits[]): Promise<Evaluate> {
  libraries ??= loadLibraries();
  const shared = await libraries;
  const { outputFiles } = await build({
    ...options,
    entryPoints: [entryPoint],
    plugins: [useLibraries(shared), patchSources([simulatedStorages, ...edits], root)],
  });
  const evaluate = compile(outputFiles[0]?.text ?? '', 'simulated-service.cjs');
  return ({ require, globals }) => evaluate({ require, globals: { ...globals, libraries: shared } }) as ServiceModule;
}

/**
 * Bundles and evaluates the libraries of the service, once for all instances: they keep their state in objects that the
 * service makes. Evaluating them for each instance would leave the machine code of the process nothing to rely on.
 */
async function loadLibraries(): Promise<Libraries> {
  const { metafile } = await build({ ...options, entryPoints: [entryPoint], packages: 'external', metafile: true });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const names = [...new Set(imported)].filter((path) => !path.startsWith('node:')).sort();
  const { outputFiles } = await build({
    ...options,
    stdin: {
      contents: [
        ...names.map((name, index) => `import * as library${index} from ${JSON.stringify(name)};`),
        `export const found = { ${names.map((name, index) => `${JSON.stringify(name)}: library${index}`).join(', ')} };`,
      ].join('\n'),
      resolveDir: root,
    },
  });
  const evaluate = compile(outputFiles[0]?.text ?? '', 'simulated-libraries.cjs');
  return (evaluate(librariesGlobals()) as { readonly found: Libraries }).found;
}

/** Lets the bundle take the libraries from a global. */
function useLibraries(shared: Libraries): Plugin {
  const namespace = 'library';
  return {
    name: 'libraries',
    setup(plugins) {
      plugins.onResolve({ filter: /^[^./]/ }, ({ path }) =>
        Object.hasOwn(shared, path) ? { path, namespace } : undefined,
      );
      plugins.onLoad({ filter: /./, namespace }, ({ path }) => {
        const library = `libraries[${JSON.stringify(path)}]`;
        const contents = Object.keys(shared[path] ?? {}).map(
          (name, index) => `const value${index} = ${library}.${name}; export { value${index} as ${name} };`,
        );
        return { contents: contents.join('\n') };
      });
    },
  };
}

/** Compiles a CommonJS module whose globals can be replaced. */
function compile(code: string, filename: string): (globals: InstanceGlobals) => unknown {
  const script = new Script(`(function (require, module, exports, ${replaced.join(', ')}) {${code}\n})`, { filename });
  const evaluate = script.runInThisContext() as (...values: unknown[]) => void;
  return ({ require, globals }) => {
    const module = { exports: {} };
    evaluate(require, module, module.exports, ...replaced.map((name) => globals[name]));
    return module.exports;
  };
}
