/**
 * `npm run package`: makes the packages for npm and Python in `dist`, or in the folder that is named, instead of what is there.
 * `--no-wheel` leaves that for Python out; `--pip <option>` is for pip, which builds it.
 */
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { buildPage } from '../infra/build-page.ts';
import { projectRoot } from '../infra/project-root.ts';
import { documentFileName, pageNames } from '../lib/contract/page-files.ts';
import { makeDocument } from '../lib/openapi/document.ts';
import packageJson from '../package.json' with { type: 'json' };
import { bundlePackage, oldestNode } from './bundle.ts';
import { commands, nameCommands } from './commands.ts';
import { optionsFile, optionsOf } from './completion.ts';
import { describeContent, describeLicences, partsOf, type Part } from './describe-parts.ts';
import { repositoryOf } from './repository.ts';
import { makeWheel } from './wheel.ts';

const run = promisify(execFile);

/** The file of the program, relative to the package. */
const program = 'packaging/main.js';

/** Makes the content of the package in a folder; returns the packages of others in it. */
async function makePackage(folder: string): Promise<Part[]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'pages'), { recursive: true });
  const parts = partsOf(await bundlePackage(folder));
  await Promise.all([
    ...pageNames.map(async (name) =>
      writeFile(join(folder, `pages/${name}.json`), nameCommands(JSON.stringify((await buildPage(name)).page))),
    ),
    writeFile(join(folder, documentFileName), makeDocument()),
    writeFile(join(folder, 'package.json'), JSON.stringify(describePackage(), null, 2)),
    writeFile(join(folder, 'LICENCES-OF-OTHERS'), describeLicences(parts)),
    ...['LICENSE', 'CHANGELOG.md'].map(async (name) => cp(join(projectRoot, name), join(folder, name))),
    cp(join(import.meta.dirname, 'README.md'), join(folder, 'README.md')),
    chmod(join(folder, program), 0o755),
  ]);
  await writeFile(join(folder, optionsFile), JSON.stringify(await readOptions(folder)));
  return parts;
}

/** Neither dependencies nor scripts: an installation fetches this package and runs nothing. */
function describePackage(): object {
  const { name, version, description, license, type } = packageJson;
  const repository = repositoryOf(process.env);
  const keywords = ['rucio', 'data catalogue', 'data management'];
  return {
    name,
    version,
    description,
    keywords,
    license,
    type,
    ...(repository === undefined ? {} : { repository }),
    bin: { [name]: program },
    engines: { node: `>=${oldestNode}` },
  };
}

/** The options of each command, as its help names them. */
async function readOptions(folder: string): Promise<Record<string, string[]>> {
  const entries = Object.keys(commands).map(async (name) => {
    const { stdout } = await run(process.execPath, [join(folder, program), name, '--help']);
    return [name, optionsOf(stdout)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries.map(async (entry) =>
    entry.isFile() ? (await stat(join(entry.parentPath, entry.name))).size : 0,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Every file of a release, with its SHA-256, as `sha256sum --check` reads them. */
async function writeChecksums(dist: string): Promise<void> {
  const names = (await readdir(dist)).filter((name) => /\.(tgz|whl|json)$/.test(name)).toSorted();
  const lines = names.map(async (name) => `${hash('sha256', await readFile(join(dist, name)))}  ${name}\n`);
  await writeFile(join(dist, 'SHA256SUMS'), (await Promise.all(lines)).join(''));
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: { wheel: { type: 'boolean', default: true }, pip: { type: 'string', multiple: true, default: [] } },
});
const dist = resolve(projectRoot, positionals[0] ?? 'dist');
const folder = join(dist, packageJson.name);
await rm(dist, { recursive: true, force: true });
const parts = await makePackage(folder);
const content = describeContent(parts, packageJson);
await writeFile(join(dist, `${packageJson.name}-${packageJson.version}.cdx.json`), JSON.stringify(content, null, 2));
await run('npm', ['pack', '--silent', '--pack-destination', dist], { cwd: folder });
if (values.wheel) {
  const python = process.env['PYTHON'] || 'python3';
  await makeWheel({ server: folder, version: packageJson.version, to: dist, python, more: values.pip });
}
await writeChecksums(dist);
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
for (const name of await readdir(dist)) {
  console.log(
    `${join(dist, name)}: ${megabytes(name === packageJson.name ? await sizeOf(folder) : (await stat(join(dist, name))).size)}`,
  );
}
