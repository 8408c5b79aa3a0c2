import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Metafile } from 'esbuild';

import { projectRoot } from '../infra/project-root.ts';

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** The packages of others whose code is in a bundle, by their folders. */
export function packagesIn({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const folders = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].toSorted();
}

/** The licences of packages, with their texts, for those who get the bundle. */
export function describeLicences(folders: readonly string[]): string {
  return folders
    .map((folder) => {
      const path = join(projectRoot, folder);
      const {
        name,
        version,
        license = 'no licence named',
      } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as PackageJson;
      const file = readdirSync(path).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
      const text = file === undefined ? '' : `\n\n${readFileSync(join(path, file), 'utf8').trim()}`;
      return `${name} ${version} (${license})${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
