/**
 * Fails where a file imports what it must not, where files import each other in a cycle, or folders of `lib`;
 * `npm run check:folders`.
 */
import { join } from 'node:path';

import { findFileCycles, findFolderCycles, findForbidden } from './find-violations.ts';
import { forbiddenImports } from './folder-rules.ts';
import { readImports, sourceFolders } from './imports.ts';

const imports = readImports(join(import.meta.dirname, '../..'), sourceFolders);
const isInLib = (path: string) => path.startsWith('lib/');
const violations = [
  ...findForbidden(imports, forbiddenImports),
  ...findFileCycles(imports),
  ...findFolderCycles(imports.filter(({ from, to }) => isInLib(from) && isInLib(to))),
];
for (const violation of violations) console.error(violation);
console.log(`${imports.length} imports, ${violations.length} against the layers`);
process.exitCode = violations.length === 0 ? 0 : 1;
