import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
const oldest = '3.11';

/** Options of a virtual environment. */
export interface VenvOptions {
  /** Name of its folder in node_modules/.cache. */
  readonly name: string;
  /** Name of the installed packages, for messages: `the official client`. */
  readonly holds: string;
  /** A requirements file that names every package in an exact version, or these packages. */
  readonly requirements: string | readonly string[];
  /** Packages that others require and that are left out. */
  readonly without?: readonly string[];
}

/**
 * Makes a virtual environment, unless one with the same requirements exists.
 *
 * @returns the folder of its programs.
 * @throws Error with a remedy if Python or its module venv is missing, or a package cannot be installed.
 */
export async function makeVenv(options: VenvOptions): Promise<string> {
  const folder = join(cache, options.name);
  const wanted =
    typeof options.requirements === 'string'
      ? await readFile(options.requirements, 'utf8')
      : `${options.requirements.toSorted().join('\n')}\n`;
  const stamp = join(folder, 'installed.txt');
  const installed = await readFile(stamp, 'utf8').catch(() => undefined);
  if (installed !== wanted) {
    await install(folder, wanted, options).catch(async (error: unknown) => {
      await rm(folder, { recursive: true, force: true });
      throw error;
    });
    await writeFile(stamp, wanted);
  }
  return join(folder, 'bin');
}

async function install(folder: string, wanted: string, { holds, without = [] }: VenvOptions): Promise<void> {
  const python = await findPython(holds);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await run(
    [python, '-m', 'venv', folder],
    `${python} can make no virtual environment; some systems have the module venv in a package of its own (python3-venv)`,
  );
  const own = join(folder, 'bin', 'python');
  const pip = [own, '-m', 'pip', '--quiet', '--disable-pip-version-check'];
  const requirements = join(folder, 'requirements.txt');
  await writeFile(requirements, wanted);
  // Without --no-deps a requirement that is not listed would be installed in any version. What builds a package is of the
  // listed version, too.
  await run([...pip, 'install', '--no-deps', '-r', requirements], `pip cannot install ${holds}`, {
    PIP_CONSTRAINT: requirements,
  });
  await checkRequirements(own, holds, without);
}

/** Whether every requirement is there, but for those that are left out. */
async function checkRequirements(python: string, holds: string, without: readonly string[]): Promise<void> {
  const isLeftOut = (line: string) =>
    without.some((name) => line.endsWith(` requires ${name}, which is not installed.`));
  const check = [python, '-m', 'pip', '--disable-pip-version-check', 'check'];
  await run(check, `the requirements of ${holds} are not complete`).catch((error: Error) => {
    const [, ...lines] = error.message.split('\n');
    if (lines.length === 0 || !lines.every(isLeftOut)) throw error;
  });
}

/** The first Python that is new enough: that of the variable PYTHON, or one on the path. */
async function findPython(holds: string): Promise<string> {
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
    `${holds} needs Python ${oldest} or newer, and ${given ? `PYTHON (${given}) is not` : 'there is none on the path'}. ` +
      `Install python3 and its module venv, or name a Python in the variable PYTHON.`,
  );
}

async function run([program = '', ...args]: string[], problem: string, environment: NodeJS.ProcessEnv = {}) {
  try {
    await execute(program, args, { env: { ...process.env, ...environment } });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${problem}:\n${(stderr + stdout).trim()}`, { cause: error });
  }
}
