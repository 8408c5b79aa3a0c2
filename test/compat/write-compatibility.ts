/** Writes docs/compatibility.md: `npm run docs -- compatibility`. */
import { writeFile } from 'node:fs/promises';

import { compatibilityPath, renderCompatibility } from './compatibility.ts';

await writeFile(compatibilityPath, await renderCompatibility());
