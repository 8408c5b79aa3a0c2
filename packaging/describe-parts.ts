import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Metafile } from 'esbuild';

import { projectRoot } from '../infra/project-root.ts';

/** A package of others whose code is in the bundle. */
export interface Part {
  readonly name: string;
  readonly version: string;
  /** Its licence, by the identifier of SPDX where it names one. */
  readonly license: string;
  /** The text of the licence; empty if it has none. */
  readonly text: string;
}

/** The packages of others whose code is in a bundle. */
export function partsOf({ outputs }: Metafile): Part[] {
  const inputs = Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const folders = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].toSorted().map(readPart);
}

function readPart(folder: string): Part {
  const path = join(projectRoot, folder);
  const {
    name,
    version,
    license = 'NOASSERTION',
  } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Omit<Part, 'text' | 'license'> & Partial<Part>;
  const file = readdirSync(path).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  return { name, version, license, text: file === undefined ? '' : readFileSync(join(path, file), 'utf8').trim() };
}

/** The licences of packages with their texts, for those who get the bundle. */
export function describeLicences(parts: readonly Part[]): string {
  return parts
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`.trim())
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** Parts of the package, in CycloneDX's form: npm's own list has the installed packages, not the bundled ones. */
export function describeContent(parts: readonly Part[], whole: { readonly name: string; readonly version: string }) {
  const component = (type: string, name: string, version: string) => {
    // A scope's @ is escaped in package URLs.
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return { type, name, version, purl, 'bom-ref': purl };
  };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: component('application', whole.name, whole.version) },
    components: parts.map(({ name, version, license }) => ({
      ...component('library', name, version),
      licenses: [{ expression: license }],
    })),
  };
}
