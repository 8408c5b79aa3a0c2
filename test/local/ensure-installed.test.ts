import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

interface EnsureInstalled {
  readonly reasonToInstall: (root: string, omitsDev?: boolean) => string | undefined;
  readonly ensureInstalled: (
    root: string,
    options: {
      say: (text: string) => void;
      install: (root: string, more: readonly string[]) => Promise<number>;
      more?: readonly string[];
    },
  ) => Promise<number>;
}

// Plain JavaScript without declarations, hence a path that the compiler does not follow.
const path: string = '../../local/ensure-installed.mjs';
const { reasonToInstall, ensureInstalled } = (await import(path)) as EnsureInstalled;

const packages = {
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/other-platform': { version: '1.0.0', integrity: 'sha512-o', optional: true },
};

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dapple-ensure-'));
  writeLock({ '': { name: 'dapple' }, ...packages });
});
afterEach(() => rmSync(root, { recursive: true }));

function writeLock(content: object, file = 'package-lock.json'): void {
  writeFileSync(join(root, file), JSON.stringify({ packages: content }));
}

function install(content: object = { 'node_modules/a': packages['node_modules/a'] }): void {
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  writeLock(content, 'node_modules/.package-lock.json');
}

function installNode(script: string): void {
  const node = { 'node_modules/node': { version: '24.0.0', integrity: 'sha512-n' } };
  writeLock({ ...packages, ...node });
  install({ 'node_modules/a': packages['node_modules/a'], ...node });
  writeFileSync(join(root, 'node_modules/.bin/node'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(root, 'node_modules/.bin/node'), 0o755);
}

describe('packages are installed when', () => {
  it('there are none', () => {
    expect(reasonToInstall(root)).toBe('nothing is installed yet');
  });

  it('an installation was interrupted', () => {
    mkdirSync(join(root, 'node_modules'));

    expect(reasonToInstall(root)).toBe('the last installation was not finished');
  });

  it.each([
    { case: 'version', found: { version: '0.9.0', integrity: 'sha512-a' } },
    { case: 'content', found: { version: '1.0.0', integrity: 'sha512-b' } },
  ])('the $case of one differs from the lock file', ({ found }) => {
    install({ 'node_modules/a': found });

    expect(reasonToInstall(root)).toBe('a has changed');
  });

  it('one was removed from the lock file', () => {
    install({ ...packages, 'node_modules/@x/gone': { version: '1.0.0' } });

    expect(reasonToInstall(root)).toBe('@x/gone is no longer needed');
  });

  it.each(['exit 1', 'echo v23.0.0'])('the installed Node does not run: %s', (script) => {
    installNode(script);

    expect(reasonToInstall(root)).toBe('the Node of node_modules does not run');
  });
});

it('packages are left alone if only those of other platforms are missing', () => {
  installNode('echo v24.0.0');

  expect(reasonToInstall(root)).toBeUndefined();
});

describe('what only development needs', () => {
  const dev = { 'node_modules/tool': { version: '1.0.0', integrity: 'sha512-t', dev: true } };
  const a = { 'node_modules/a': packages['node_modules/a'] };
  const optionsOfInstallation = async () => {
    let given: readonly string[] = [];
    const keep = async (_root: string, more: readonly string[]) => {
      given = more;
      return 0;
    };
    await ensureInstalled(root, { say: () => {}, install: keep, more: ['--omit=dev'] });
    return given;
  };

  beforeEach(() => writeLock({ '': {}, ...packages, ...dev }));

  it('may be missing for the server, not for the tests', () => {
    install(a);

    expect(reasonToInstall(root, true)).toBeUndefined();
    expect(reasonToInstall(root)).toBe('tool has changed');
  });

  it('is not installed for the server', async () => {
    expect(await optionsOfInstallation()).toEqual(['--omit=dev']);
  });

  it('stays where it is installed, when something else has changed', async () => {
    install({ 'node_modules/a': { version: '0.9.0', integrity: 'sha512-a' }, ...dev });

    expect(reasonToInstall(root, true)).toBe('a has changed');
    expect(await optionsOfInstallation()).toEqual([]);
  });
});

it('packages are installed once if two commands start together', async () => {
  let installations = 0;
  const options = {
    say: () => {},
    install: async () => {
      installations += 1;
      await new Promise((done) => setTimeout(done, 100));
      install();
      return 0;
    },
  };

  expect(await Promise.all([ensureInstalled(root, options), ensureInstalled(root, options)])).toEqual([0, 0]);
  expect(installations).toBe(1);
});

it('passes the exit code on and prints one line', async () => {
  let said = '';
  const say = (text: string) => void (said += text);

  expect(await ensureInstalled(root, { say, install: async () => 7 })).toBe(7);
  expect(said).toMatch(
    /^installing the packages \(npm ci\), because nothing is installed yet \.\.\. failed after \d+ s with code 7\n$/,
  );
});
