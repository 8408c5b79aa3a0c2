import { join } from 'node:path';

/** Root of the project, independent of the working directory. */
export const projectRoot = join(import.meta.dirname, '..');
