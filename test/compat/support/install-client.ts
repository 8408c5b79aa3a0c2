import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder with the programs `rucio` and `python` of the official client. */
    clientBin: string;
  }
}

const execute = promisify(execFile);
const requirements = fileURLToPath(new URL('../requirements.txt', import.meta.url));
const folder = fileURLToPath(new URL('../../../node_modules/.cache/compat-venv', import.meta.url));
const oldest = '3.11';

/** Makes the virtual environment of the official client, unless it is there with these very requirements. */
export default async function setup(project: TestProject): Promise<void> {
  const wanted = await readFile(requirements, 'utf8');
  const stamp = join(folder, 'installed.txt');
  const installed = await readFile(stamp, 'utf8').catch(() => undefined);
  if (installed !== wanted) {
    await install();
    await writeFile(stamp, wanted);
  }
  project.provide('clientBin', join(folder, 'bin'));
}

async function install(): Promise<void> {
  const python = await findPython();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await run(
    [python, '-m', 'venv', folder],
    `${python} can make no virtual environment; some systems have the module venv in a package of its own (python3-venv)`,
  );
  const own = join(folder, 'bin', 'python');
  const pip = [own, '-m', 'pip', '--quiet', '--disable-pip-version-check'];
  // Without --no-deps a requirement that the file does not list would be installed in any version.
  await run([...pip, 'install', '--no-deps', '-r', requirements], 'pip cannot install the official client');
  await run([...pip, 'check'], 'test/compat/requirements.txt is not complete');
}

/** The first Python that is new enough: that of the variable PYTHON, or one on the path. */
async function findPython(): Promise<string> {
  const given = process.env['PYTHON'];
  const version = `import sys; sys.exit(sys.version_info < (${oldest.replace('.', ', ')}))`;
  for (const python of given ? [given] : [`python${oldest}`, 'python3', 'python']) {
    const fits = await execute(python, ['-c', version]).then(
      () => true,
      () => false,
    );
    if (fits) return python;
  }
  throw new Error(
    `The official Rucio client needs Python ${oldest} or newer, and ${given ? `PYTHON (${given}) is not` : 'there is none on the path'}. ` +
      `Install python3 and its module venv, or name a Python in the variable PYTHON.`,
  );
}

async function run([program = '', ...args]: string[], problem: string): Promise<void> {
  try {
    await execute(program, args);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${problem}:\n${(stderr + stdout).trim()}`, { cause: error });
  }
}
