import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

import type * as Client from '../../lib/store/items/client.ts';
import type { ClientOptions } from '../../lib/store/items/client.ts';

const root = new URL('../..', import.meta.url).href;
const ours = [`${root}lib/`, `${root}functions/`];
const mark = /\?process=\d+$/;

/** What imports of our modules lead to, by the module and the text of the import. */
const resolved = new Map<string, string>();
/** Our modules without types. */
const sources = new Map<string, string>();

// Imports of a marked module get the same mark, so they are separate instances.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const [ownMark] = mark.exec(context.parentURL ?? '') ?? [];
    if (ownMark === undefined) return nextResolve(specifier, context);
    const key = `${context.parentURL?.replace(mark, '')} ${specifier}`;
    const known = resolved.get(key);
    if (known !== undefined) return { url: known + ownMark, format: 'module', shortCircuit: true };
    const found = nextResolve(specifier, context);
    const isOurs = ours.some((folder) => found.url.startsWith(folder)) && found.url.endsWith('.ts');
    if (!isOurs) return found;
    resolved.set(key, found.url);
    return { ...found, url: found.url + ownMark };
  },
  load(url, context, nextLoad) {
    if (!mark.test(url)) return nextLoad(url, context);
    const plain = url.replace(mark, '');
    const source = sources.get(plain) ?? stripTypeScriptTypes(readFileSync(fileURLToPath(plain), 'utf8'));
    sources.set(plain, source);
    return { format: 'module', source, shortCircuit: true };
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
  const ownMark = `?process=${count}`;
  const load = async <M>(path: string) => (await import(root + path + ownMark)) as M;
  const prepared = load<typeof Client>('lib/store/items/client.ts').then(({ setClientDefaults }) =>
    setClientDefaults(client),
  );
  return async <M>(path: string) => {
    await prepared;
    return load<M>(path);
  };
}
