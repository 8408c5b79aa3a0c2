/** Writes docs/policies: `npm run docs -- policies`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { policiesFolder, renderPolicyPages } from './policy-pages.ts';

for (const [name, text] of await renderPolicyPages()) await writeFile(join(policiesFolder, name), text);
