/** Writes docs/permissions.md: `npm run docs -- permissions`. */
import { writeFile } from 'node:fs/promises';

import { permissionsPath, renderPermissions } from './permission-page.ts';

await writeFile(permissionsPath, await renderPermissions());
