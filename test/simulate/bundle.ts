import { join } from 'node:path';
import { Script } from 'node:vm';

import { build, type Plugin } from 'esbuild';

import { mutate } from './mutations.ts';
import type * as Service from './service/service.ts';

/** What an instance of the service offers. */
export type ServiceModule = typeof Service;

/** What an instance sees in place of what its process has: time, chance, and the way to the table. */
export interface Surroundings {
  readonly require: (name: string) => unknown;
  readonly globals: Readonly<Record<string, unknown>>;
}

/** Makes a module of the service with memory of its own. */
export type Evaluate = (surroundings: Surroundings) => ServiceModule;

/** The names of what surroundings give. */
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
  'instanceClient',
  'instanceSend',
] as const;

/** By the name of the mutation; empty: the service as it is. */
const bundled = new Map<string, Promise<Evaluate>>();
let chosen = '';

/** Bundles the service, once in a process, with the SDK and all that it uses, since that waits and counts time as well. */
export function bundleService(): Promise<Evaluate> {
  const found = bundled.get(chosen) ?? bundle(chosen === '' ? [] : [mutate(chosen, root)]);
  bundled.set(chosen, found);
  return found;
}

/** Has what is simulated from now on be the service with a defect put back; undefined: as it is. */
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
    alias: { '@aws-sdk/lib-dynamodb': join(import.meta.dirname, 'service/document-client.ts') },
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
