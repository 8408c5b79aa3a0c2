/** Installed packages and dependencies of the functions change only by decision. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import packageJson from '../../package.json' with { type: 'json' };
import { readImports } from '../architecture/imports.ts';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '../..');
const lockFile = readFileSync(join(root, 'package-lock.json'), 'utf8');
const { packages } = JSON.parse(lockFile) as { packages: Readonly<Record<string, LockedPackage>> };
/** The package of the engine, which is in this repository. */
const own = new Set(['', 'local/engine', 'node_modules/dynamodb-in-node']);
const locked = Object.entries(packages).filter(([path]) => !own.has(path));
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const namesOf = (wanted: (entry: LockedPackage) => boolean) =>
  locked.filter(([, entry]) => wanted(entry)).map(([path]) => nameOf(path));

/** Packages that only a server outside of AWS needs: they are installed for it, and no function imports them. */
const ofServer = ['esbuild', 'node', 'pg', 'prom-client', 'zod-openapi'];

/** Where a package finds another one: in its own folder, or in one above. */
function locate(from: string, name: string): string | undefined {
  const parts = from.split('/node_modules/');
  const folders = ['', ...parts.map((_part, index) => `${parts.slice(0, index + 1).join('/node_modules/')}/`)];
  return folders.map((folder) => `${folder}node_modules/${name}`).findLast((path) => path in packages);
}

/** The names of packages and of all that they require. */
function closureOf(roots: readonly string[]): Set<string> {
  const found = new Set<string>();
  const add = (from: string, name: string) => {
    const path = locate(from, name);
    if (path === undefined || found.has(path)) return;
    found.add(path);
    const { dependencies, optionalDependencies } = packages[path] ?? {};
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) add(path, other);
  };
  for (const name of roots) add('', name);
  return new Set([...found].map(nameOf));
}

/** The publishers of these packages can run code in the functions; that of preact in the page. */
const publishers = /^(@aws|@aws-lambda-powertools|@aws-sdk|@smithy|@middy)\//;
const single = [
  'bowser',
  'jose',
  'mnemonist',
  'oauth4webapi',
  'obliterator',
  'openid-client',
  'preact',
  'tslib',
  'zod',
];

describe('the lock file', () => {
  it('takes packages from the registry only', () => {
    const isForeign = ({ resolved, link }: LockedPackage) =>
      link === true || (resolved !== undefined && !/^https:\/\/[^/]+\/.+\.tgz$/.test(resolved));
    expect(namesOf(isForeign)).toEqual([]);
    expect(Object.values({ ...packageJson.dependencies, ...packageJson.devDependencies })).toSatisfy(
      (versions: string[]) => versions.every((version) => /^\d+\.\d+\.\d+$/.test(version)),
    );
  });

  it('has the hash of every package, but for tools of other platforms', () => {
    // The hash of a package covers the packages bundled in it.
    const isUnchecked = ({ integrity, inBundle }: LockedPackage) => integrity === undefined && inBundle !== true;
    const isTool = ({ dev, optional }: LockedPackage) => dev === true && optional === true;
    expect(namesOf((entry) => isUnchecked(entry) && !isTool(entry))).toEqual([]);
    const weak = namesOf(({ integrity }) => integrity !== undefined && !integrity.startsWith('sha512-'));
    expect(weak).toEqual([]);
  });

  it('allows install scripts only of packages that are listed', () => {
    expect(namesOf(({ hasInstallScript }) => hasInstallScript === true).toSorted()).toEqual(
      Object.keys(packageJson.allowScripts).toSorted(),
    );
  });

  it('has only packages of known publishers in the functions', () => {
    const ofFunctions = Object.keys(packageJson.dependencies).filter((name) => !ofServer.includes(name));
    const deployed = [...closureOf(ofFunctions)].filter((name) => !publishers.test(name));
    expect(deployed.toSorted()).toEqual(single);
  });

  it('has no other package for the server than those that are listed, and what they require', () => {
    const installed = new Set(namesOf(({ dev }) => dev !== true));
    expect([...installed].filter((name) => !closureOf(Object.keys(packageJson.dependencies)).has(name))).toEqual([]);
    expect(ofServer.filter((name) => !installed.has(name))).toEqual([]);
  });

  it('has no import of a package for the server in what a function is made of', () => {
    const imported = readImports(root, ['functions', 'lib']).filter(({ from }) => !from.startsWith('lib/openapi/'));
    expect(imported.length).toBeGreaterThan(1_000);
    expect(imported.filter(({ to }) => ofServer.includes(to))).toEqual([]);
  });
});
