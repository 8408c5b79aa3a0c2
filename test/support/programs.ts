/**
 * The programs of the repository for tests that start them as processes: in one file, which Node loads in half the time that it
 * takes for some 900 sources. It is built when a process of the tests asks first, and again after a change of the sources.
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import { buildSync } from 'esbuild';

import { projectRoot } from '../../infra/project-root.ts';
import { groups } from '../../lib/contract/index.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { bundleInOne, writeLoaders } from '../../packaging/bundle-in-one.ts';

const folder = join(projectRoot, 'node_modules/.cache/programs');
const inputsFile = join(folder, 'inputs.json');

/** Programs, and modules that these load by their names (local/locate.ts). */
const sources: readonly string[] = [
  ...Object.values(packageJson.scripts)
    .map((script) => /node (?:--\S+ )*((?:local|moving|smoke|packaging)\/\S+\.ts)/.exec(script)?.[1])
    .filter((path) => path !== undefined && path !== 'packaging/pack.ts')
    .map(String),
  'local/threads/worker.ts',
  'local/threads/reactions-worker.ts',
  ...groups.map(({ name }) => `functions/${name}.ts`),
];

/** Modules that find files of the repository from where they are. */
const unbundled = ['*/infra/project-root.ts', '*/infra/build-page.ts'];

let isCurrent = false;

/**
 * The file to start for a program: in a run of vitest that of its bundle, elsewhere its source, as users start it.
 *
 * @param source Its path in the repository, such as `local/main.ts`.
 * @returns An absolute path; that of the source if it is none of the programs.
 * @throws Error of esbuild for a mistake in the sources.
 */
export function program(source: string): string {
  if (process.env['VITEST'] === undefined || !sources.includes(source)) return join(projectRoot, source);
  if (!isCurrent) alone(() => wasBuilt() || build());
  isCurrent = true;
  return bundled(source);
}

const bundled = (source: string) => join(folder, source.replace(/\.ts$/, '.js'));

/** Runs something while no other process does. The lock ends with the process, however that ends. */
function alone(run: () => unknown): void {
  mkdirSync(folder, { recursive: true });
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: 60_000 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    run();
  } finally {
    lock.close();
  }
}

function wasBuilt(): boolean {
  if (!existsSync(inputsFile)) return false;
  const inputs = Object.entries(JSON.parse(readFileSync(inputsFile, 'utf8')) as Record<string, string>);
  return inputs.every(([path, mark]) => markOf(path) === mark);
}

function markOf(path: string): string | undefined {
  const found = statSync(join(projectRoot, path), { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.size} ${found.mtimeMs}`;
}

function build(): void {
  const one = bundleInOne(folder, sources);
  const external = [...one.external, 'esbuild', ...unbundled];
  const { metafile, outputFiles } = buildSync({ ...one, target: 'node24', external, write: false });
  const infra = pathToFileURL(join(projectRoot, 'infra')).href;
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.replaceAll('"../infra/', `"${infra}/`));
  }
  writeLoaders(folder, sources);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const own = [relative(projectRoot, import.meta.filename), 'package.json'];
  const marks = [...own, ...Object.keys(metafile.inputs)].map((path) => [path, markOf(path)]);
  writeFileSync(inputsFile, JSON.stringify(Object.fromEntries(marks)));
}
