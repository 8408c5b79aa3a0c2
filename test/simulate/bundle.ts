import { join } from 'node:path';
import { Script } from 'node:vm';

import { build, type Plugin } from 'esbuild';

import { mutate } from './mutations.ts';
import type * as Service from './service/service.ts';

/** What an instance of the service offers. */
export type ServiceModule = typeof Service;

/** What replaces the globals of the process in an instance: clock, random numbers, and the connection to the table. */
export interface InstanceGlobals {
  readonly require: (name: string) => unknown;
  readonly globals: Readonly<Record<string, unknown>>;
}

/** Evaluates the bundle anew, so that the module has its own state. */
export type Evaluate = (globals: InstanceGlobals) => ServiceModule;

/** The globals that are replaced. */
export const replaced = [
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
] as const;

/** Bundles by the name of their mutation; empty: without one. */
const bundled = new Map<string, Promise<Evaluate>>();
let chosen = '';

/** Bundles the service with the SDK, which has timers of its own; once for each process. */
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

async function bundle(plugins: Plugin[]): Promise<Evaluate> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    plugins,
    entryPoints: [join(import.meta.dirname, 'service/service.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    mainFields: ['module', 'main'],
    logLevel: 'warning',
  });
  const code = outputFiles[0]?.text ?? '';
  const script = new Script(`(function (require, module, exports, ${replaced.join(', ')}) {${code}\n})`, {
    filename: 'simulated-service.cjs',
  });
  const evaluate = script.runInThisContext() as (...values: unknown[]) => void;
  return ({ require, globals }) => {
    const module = { exports: {} };
    evaluate(require, module, module.exports, ...replaced.map((name) => globals[name]));
    return module.exports as ServiceModule;
  };
}
