import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { projectRoot } from '../infra/project-root.ts';

const run = promisify(execFile);

/** Content of a wheel, and the tools that make it. */
interface WheelOptions {
  /** The content of the npm package. */
  readonly server: string;
  readonly version: string;
  /** Folder for the wheel. */
  readonly to: string;
  /** A Python with pip. With it is what builds the wheel, or pip fetches that. */
  readonly python: string;
  /** Further options of `pip wheel`. */
  readonly more?: readonly string[];
}

/**
 * Makes the Python package of `python/`, with the server in it.
 *
 * @throws Error with a remedy if there is no Python.
 */
export async function makeWheel({ server, version, to, python, more = [] }: WheelOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dapple-wheel-'));
  try {
    await cp(join(projectRoot, 'python'), folder, { recursive: true });
    const content = join(folder, 'src/pytest_dapple');
    await cp(server, join(content, 'server'), { recursive: true });
    await writeFile(join(content, 'version.py'), `__version__ = "${version}"\n`);
    await cp(join(projectRoot, 'LICENSE'), join(folder, 'LICENSE'));
    const pip = ['-m', 'pip', '--disable-pip-version-check', 'wheel', '--quiet', '--no-deps', ...more];
    await run(python, [...pip, '--wheel-dir', to, folder]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const remedy = 'Install it, name one in the variable PYTHON, or leave the wheel out with `--no-wheel`.';
    throw new Error(`The wheel needs a Python with pip, and there is no ${python}. ${remedy}`, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
