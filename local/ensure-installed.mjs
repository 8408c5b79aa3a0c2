// Runs before anything is installed, on any Node version that npm uses: plain JavaScript for Node 20 and later, without
// imports of the project.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The option of npm that leaves out what only development needs. */
const omitDev = '--omit=dev';

const lockTimeoutMs = 10 * 60_000;

/**
 * Why the packages of `root` must be installed: there are none, they differ from package-lock.json, or their Node does
 * not run.
 *
 * Compares contents, not times: a checkout or a copy changes the time of an unchanged file.
 *
 * @param {string} root folder of package.json
 * @param {boolean} omitsDev whether packages for development may be missing; none of them may be there then, or all
 * @returns {string | undefined} the reason; undefined if everything is installed
 */
export function reasonToInstall(root, omitsDev = false) {
  if (!existsSync(join(root, 'node_modules'))) return 'nothing is installed yet';
  const wanted = readPackages(join(root, 'package-lock.json'));
  const present = readPackages(join(root, 'node_modules/.package-lock.json'));
  if (wanted === undefined) return undefined;
  if (present === undefined) return 'the last installation was not finished';
  delete wanted[''];
  if (omitsDev && !hasDev(present)) dropDev(wanted);
  for (const [path, { version, integrity, optional }] of Object.entries(wanted)) {
    const found = present[path];
    // An installation omits optional packages of other platforms.
    if (found === undefined && optional) continue;
    if (found?.version !== version || found.integrity !== integrity) return `${nameOf(path)} has changed`;
  }
  const extra = Object.keys(present).find((path) => !(path in wanted));
  if (extra !== undefined) return `${nameOf(extra)} is no longer needed`;
  return nodeWorks(root, wanted['node_modules/node']?.version) ? undefined : 'the Node of node_modules does not run';
}

function dropDev(packages) {
  for (const [path, { dev }] of Object.entries(packages)) if (dev === true) delete packages[path];
}

/**
 * Runs `npm ci` in `root` unless everything is installed. Of several concurrent calls one installs and the others wait.
 *
 * @param {string} root folder of package.json
 * @param {{ say?: (text: string) => void, install?: (root: string, more: readonly string[]) => Promise<number>,
 *   more?: readonly string[] }} [options] `more`: further options of npm; `--omit=dev` counts only where no package for development
 *   is installed
 * @returns {Promise<number>} the exit code of the program
 */
export async function ensureInstalled(root, { say = write, install = npmCi, more = [] } = {}) {
  const omitsDev = more.includes(omitDev);
  if (reasonToInstall(root, omitsDev) === undefined) return 0;
  const lock = join(tmpdir(), `dapple-install-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.lock`);
  await takeLock(lock, say);
  try {
    // Checked again: another process may have installed while this one waited.
    const reason = reasonToInstall(root, omitsDev);
    if (reason === undefined) return 0;
    const options =
      omitsDev && hasDev(readPackages(join(root, 'node_modules/.package-lock.json')))
        ? more.filter((option) => option !== omitDev)
        : more;
    const begin = performance.now();
    say(`installing the packages (npm ci), because ${reason} ... `);
    const code = await install(root, options);
    const seconds = ((performance.now() - begin) / 1000).toFixed(0);
    say(code === 0 ? `done in ${seconds} s\n` : `failed after ${seconds} s with code ${code}\n`);
    return code;
  } finally {
    rmSync(lock, { force: true });
  }
}

function write(text) {
  process.stderr.write(text);
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? {};
  } catch {
    return undefined;
  }
}

/** Whether packages for development are among the installed ones: npm would remove them where it is to leave them out. */
function hasDev(present = {}) {
  return Object.values(present).some(({ dev }) => dev === true);
}

function nameOf(path) {
  return path.replace(/^.*node_modules\//, '');
}

function nodeWorks(root, version) {
  if (version === undefined) return true;
  const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/node'), ['--version'], { encoding: 'utf8' });
  return status === 0 && stdout.trim() === `v${version}`;
}

/** Creates a file that only one process can create. The lock of a dead process is taken over. */
async function takeLock(path, say) {
  const end = performance.now() + lockTimeoutMs;
  for (let turn = 0; ; turn += 1) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!holderIsAlive(path) || performance.now() > end) rmSync(path, { force: true });
    if (turn === 0) say('waiting for another command that is installing the packages\n');
    await sleep(200);
  }
}

function holderIsAlive(path) {
  try {
    const holder = Number(readFileSync(path, 'utf8'));
    // The file is empty for an instant after its creation.
    if (holder > 0) process.kill(holder, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function npmCi(root, more) {
  // Under npm, runs the same npm again, whatever its name on this platform.
  const self = process.env.npm_execpath;
  const [command, first] = self?.endsWith('.js') ? [process.execPath, [self]] : ['npm', []];
  const args = [...first, 'ci', '--loglevel=error', '--no-audit', '--no-fund', '--no-progress', ...more];
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => done(code ?? 1));
  });
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [folder = '..', ...more] = process.argv.slice(2);
  process.exitCode = await ensureInstalled(fileURLToPath(new URL(folder, import.meta.url)), { more });
}
