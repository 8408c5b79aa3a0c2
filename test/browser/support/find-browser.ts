import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
const macPaths = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/**
 * The path of a Chromium: that of the variable CHROMIUM, or one that is installed. As root on Debian it is installed
 * if there is none.
 *
 * @throws Error with a remedy if there is none.
 */
export function findBrowser(): string {
  const found = lookUp() ?? (installOnDebian() ? lookUp() : undefined);
  if (found !== undefined) return found;
  throw new Error(
    'No browser was found. Install Chromium (Debian: apt-get install chromium), or set CHROMIUM to the path of one.',
  );
}

/** The path of an installed Chromium; undefined without one. */
export function lookUp(): string | undefined {
  const given = process.env['CHROMIUM'];
  if (given !== undefined && given !== '') {
    if (!existsSync(given)) throw new Error(`CHROMIUM is ${given}, where no file is`);
    return given;
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...paths, ...macPaths].find((path) => existsSync(path));
}

function installOnDebian(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.log('No browser was found: installing Debian’s chromium');
  const run = (...args: string[]) => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] }).status;
  return run('update') === 0 && run('install', '-y', '--no-install-recommends', 'chromium') === 0;
}
