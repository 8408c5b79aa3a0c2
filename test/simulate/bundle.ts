import { join } from 'node:path';
import { Script } from 'node:vm';

import { build, type BuildOptions, type Plugin } from 'esbuild';

import { type InstanceGlobals, librariesGlobals, type Libraries } from './instance-globals.ts';
import { mutate } from './mutations.ts';
import type * as Service from './service/service.ts';

/** What an instance of the service offers. */
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
  'libraries',
] as const;

/** Bundles by the name of their mutation; empty: without one. */
const bundled = new Map<string, Promise<Evaluate>>();
let chosen = '';
let libraries: Promise<Libraries> | undefined;

/** Bundles the service; once for each process. */
export function bundleService(): Promise<Evaluate> {
  const found = bundled.get(chosen) ?? bundle(chosen === '' ? [] : [mutate(chosen, root)]);
  bundled.set(chosen, found);
  return found;
}

/** Chooses the defect that later simulations put back; undefined: none. */
export function chooseMutation(mutation: string | undefined): void {
  chosen = mutation ?? '';
}

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
} satisfies BuildOptions;

async function bundle(plugins: Plugin[]): Promise<Evaluate> {
  libraries ??= loadLibraries();
  const shared = await libraries;
  const { outputFiles } = await build({
    ...options,
    entryPoints: [entryPoint],
    plugins: [useLibraries(shared), ...plugins],
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
