import { extname } from 'node:path';

/**
 * Where a module of Dapple is that is loaded by its name: beside the sources, or in the package (packaging/), whose modules lie
 * as the sources do.
 *
 * @param path Its path in the repository, without the ending.
 */
export function locateModule(path: string): URL {
  return new URL(`../${path}${extname(import.meta.filename)}`, import.meta.url);
}
