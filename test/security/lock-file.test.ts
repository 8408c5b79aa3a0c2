/** Installed packages and dependencies of the functions change only by decision. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import packageJson from '../../package.json' with { type: 'json' };

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
}

const lockFile = readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8');
const { packages } = JSON.parse(lockFile) as { packages: Readonly<Record<string, LockedPackage>> };
/** The package of the engine, which is in this repository. */
const own = new Set(['', 'local/engine', 'node_modules/dynamodb-in-node']);
const locked = Object.entries(packages).filter(([path]) => !own.has(path));
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const namesOf = (wanted: (entry: LockedPackage) => boolean) =>
  locked.filter(([, entry]) => wanted(entry)).map(([path]) => nameOf(path));

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
    const deployed = namesOf(({ dev }) => dev !== true).filter((name) => !publishers.test(name));
    expect(deployed.toSorted()).toEqual(single);
  });
});
