import { fileURLToPath } from 'node:url';

import type { TestProject } from 'vitest/node';

import { makeVenv } from '../../support/python-venv.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder with the programs `rucio` and `python` of the official client. */
    clientBin: string;
  }
}

const requirements = fileURLToPath(new URL('../requirements.txt', import.meta.url));

/** Makes the virtual environment of the official client. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide(
    'clientBin',
    await makeVenv({ name: 'compat-venv', holds: 'the official Rucio client', requirements }),
  );
}
