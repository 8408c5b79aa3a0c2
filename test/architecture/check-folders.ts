/** Fails where a folder of `lib` is in a cycle, or imports what it must not; `npm run check:folders`. */
import { join } from 'node:path';

import { findCycles, findForbidden } from './find-violations.ts';
import { forbiddenImports } from './folder-rules.ts';
import { readImports } from './imports.ts';

const imports = readImports(join(import.meta.dirname, '../..'), ['lib']);
const violations = [...findForbidden(imports, forbiddenImports), ...findCycles(imports)];
for (const violation of violations) console.error(violation);
console.log(`${imports.length} imports in lib, ${violations.length} against the layers`);
process.exitCode = violations.length === 0 ? 0 : 1;
