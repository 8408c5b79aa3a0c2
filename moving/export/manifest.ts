import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parseNamed } from '../../lib/json-names.ts';

/** The file of an export that lists the others. */
export const manifestFile = 'manifest.json';

/** The version of the format; a load refuses others. */
export const formatVersion = 1;

/** A file of an export. */
export interface ExportedFile {
  readonly file: string;
  /** The kind of its items. */
  readonly kind: string;
  readonly records: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** The parts of an export. The manifest has no date, so that exports of the same content are equal byte by byte. */
export interface Manifest {
  readonly format: 'dapple-export';
  readonly version: number;
  readonly passwords: boolean;
  readonly files: readonly ExportedFile[];
}

/** The number of items in files of an export. */
export const recordsIn = (files: Manifest['files']) => files.reduce((sum, { records }) => sum + records, 0);

/** The size of files of an export. */
export const bytesIn = (files: Manifest['files']) => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Writes the manifest, which makes an export complete. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFile(join(folder, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
}

/**
 * Reads the manifest of an export and checks every file against it.
 *
 * @throws Error that says what is missing or damaged.
 */
export async function readVerified(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new Error(`The folder ${folder} holds no complete export: there is no ${manifestFile} in it.`);
  const manifest = parseNamed(text) as Manifest;
  if (manifest.format !== 'dapple-export' || manifest.version !== formatVersion) {
    throw new Error(`The export in ${folder} has another format: ${manifest.format} ${manifest.version}.`);
  }
  for (const { file, bytes, sha256 } of manifest.files) {
    const found = await measure(join(folder, file));
    if (found.bytes !== bytes || found.sha256 !== sha256) {
      throw new Error(
        `The file ${join(folder, file)} is not the one that was exported: it has ${found.bytes} bytes of ${bytes}.`,
      );
    }
  }
  return manifest;
}

async function measure(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    throw new Error(`The file ${path} of the export cannot be read.`, { cause: error });
  }
  return { bytes, sha256: hash.digest('hex') };
}
