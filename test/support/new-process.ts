import { registerHooks } from 'node:module';

import type * as Client from '../../lib/store/items/client.ts';
import type { ClientOptions } from '../../lib/store/items/client.ts';

const root = new URL('../..', import.meta.url).href;
const ours = [`${root}lib/`, `${root}functions/`];

// What a marked module imports of ours is marked like it, and so is another module than the unmarked one.
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
 * Stands for a process that has just started: what it imports of lib and functions remembers nothing, and is shared with
 * nothing that another one has imported.
 *
 * @param client How its clients reach the table; absent: it has no table.
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
