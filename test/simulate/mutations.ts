import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Plugin } from 'esbuild';

/** A text of a file of lib, which is there once, and what stands in its place. */
interface Patch {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Defects that the service had, put back for a simulation to find: what a check is worth shows when it fails. `npm run
 * simulate -- --mutate <name>` bundles the service with them; the files stay as they are.
 */
export const mutations: Readonly<Record<string, readonly Patch[]>> = {
  // A write of one item whose first answer was lost is refused for what it has done itself.
  'own-success': [
    {
      file: 'lib/store/batches/transaction.ts',
      from: 'if ((error.$metadata.attempts ?? 1) > 1 && isDone(write, existing, id)) return;',
      to: 'isDone(write, existing, id);',
    },
  ],
  // What fails after the commit reaches the caller.
  'after-commit': [
    { file: 'lib/store/batches/settle.ts', from: 'failures.push(...tried.map(() => error));', to: 'throw error;' },
    { file: 'lib/store/items/client.ts', from: 'attachConflictRetry(client);', to: 'void attachConflictRetry;' },
  ],
  // Nobody looks again whether an attachment says what its file says.
  'second-look': [
    {
      file: 'lib/domain/dids/follow-file-keys.ts',
      from: '[...(await attachedPairs(table, changes)), ...(await describedPairs(table, changes))]',
      to: '[attachedPairs, describedPairs].flatMap((): Pair[] => (table === undefined ? [] : changes.slice(0, 0) as never))',
    },
  ],
};

/**
 * Puts the patches of a mutation into what esbuild reads.
 *
 * @throws Error when there is no such mutation; from esbuild when a text is not there once.
 */
export function mutate(name: string, root: string): Plugin {
  const patches = mutations[name];
  if (patches === undefined) throw new Error(`there is no mutation ${name}, only ${Object.keys(mutations).join(', ')}`);
  return {
    name: 'mutate',
    setup: (build) => {
      const files = new Set(patches.map(({ file }) => file));
      for (const file of files) {
        const path = join(root, file);
        build.onLoad({ filter: new RegExp(`/${file.replaceAll('.', '\\.')}$`) }, async () => {
          let contents = await readFile(path, 'utf8');
          for (const { from, to } of patches.filter((patch) => patch.file === file)) {
            const parts = contents.split(from);
            if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`);
            contents = parts.join(to);
          }
          return { contents, loader: 'ts' };
        });
      }
    },
  };
}
