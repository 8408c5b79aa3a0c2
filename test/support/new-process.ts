import { registerHooks } from 'node:module';

import type * as Client from '../../lib/store/items/client.ts';
import type { ClientOptions } from '../../lib/store/items/client.ts';

const root = new URL('../..', import.meta.url).href;
const ours = [`${root}lib/`, `${root}functions/`];

// Imports of a marked module get the same mark, so they are separate instances.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const mark = context.parentURL?.match(/\?process=\d+$/)?.[0];
    const isOurs = ours.some((folder) => resolved.url.startsWith(folder)) && !resolved.url.includes('?');
    return mark !== undefined && isOurs ? { ...resolved, url: resolved.url + mark } : resolved;
  },
});

let count = 0;

/**
 * Imitates a process that has just started: it imports fresh instances of the modules of lib and functions, with empty
 * caches.
 *
 * @param client Options of its clients of the table; absent: it has no table.
 * @returns Imports a module, by its path from the root of the project.
 */
export function newProcess(client: ClientOptions = {}): <M>(path: string) => Promise<M> {
  count += 1;
  const mark = `?process=${count}`;
  const load = async <M>(path: string) => (await import(root + path + mark)) as M;
  const prepared = load<typeof Client>('lib/store/items/client.ts').then(({ setClientDefaults }) =>
    setClientDefaults(client),
  );
  return async <M>(path: string) => {
    await prepared;
    return load<M>(path);
  };
}
