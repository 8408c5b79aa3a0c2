import { hash } from 'node:crypto';

import { clock, type Stopwatch } from '../clock.ts';

/** What an attempt that was killed has left in a storage: a file with a temporary name, or an upload in parts. */
export interface Leftover {
  /** The file of which it is a part, as {@link partKey} makes it. */
  readonly key: string;
  /** Its name, or what else the storage knows it by. */
  readonly name: string;
  /** When it was written last, in milliseconds since 1970; undefined: the storage does not tell. */
  readonly writtenAt?: number | undefined;
}

/** A folder is looked through at most that often: only processes that die leave something. */
const lookAgainMs = 600_000;

/** What is older belongs to a copy that nobody wants any more. */
const maxAgeMs = 7 * 24 * 3_600_000;

/** The longest temporary name. */
const maxNameLength = 200;

/** The most leftovers of a folder that are cached. */
const maxLeft = 1_000;

/** The most folders whose leftovers are cached. */
const maxFolders = 1_000;

/** A short text that stands for a file, in the names of its parts. */
export function partKey(path: string): string {
  return hash('sha256', path).slice(0, 16);
}

/** The temporary name of an attempt to write a file. */
export function partName(path: string, attempt: string): string {
  return `.dapple-${partKey(path)}-${attempt}.part`;
}

/** Reads a temporary name; undefined for any other name. */
export function readPartName(name: string): Leftover | undefined {
  const key = /^\.dapple-([0-9a-f]{16})-[\w-]+\.part$/.exec(name)?.[1];
  if (key === undefined || name.length > maxNameLength) return undefined;
  // A copy: a part of the text of a whole list would keep that in memory.
  return { key: Buffer.from(key).toString(), name: Buffer.from(name).toString() };
}

/** Finds what earlier attempts have left, by the folder in which they are. */
export class Leftovers<T extends Leftover = Leftover> {
  readonly #folders = new Map<string, { readonly age: Stopwatch; readonly left: Promise<Map<string, T[]>> }>();

  /**
   * Takes what is left of a file. Nobody else gets it.
   *
   * @param folder Any text that names the folder.
   * @param list Lists what is left in the folder.
   * @param remove Deletes what nobody wants any more; absent: that cannot be told. Failures of both are no failures of the copy.
   */
  async take(
    folder: string,
    path: string,
    { list, remove }: { list: () => Promise<readonly T[]>; remove?: (one: T) => Promise<void> },
  ): Promise<readonly T[]> {
    const left = await this.#look(folder, async () => {
      const found = await list().catch((): readonly T[] => []);
      const isOld = ({ writtenAt }: T) =>
        remove !== undefined && writtenAt !== undefined && clock.now() - writtenAt > maxAgeMs;
      for (const one of found.filter(isOld)) await remove?.(one).catch(() => undefined);
      return Map.groupBy(found.filter((one) => !isOld(one)).slice(0, maxLeft), ({ key }) => key);
    });
    const key = partKey(path);
    const found = left.get(key) ?? [];
    left.delete(key);
    return found;
  }

  /** Notes what a copy has left that was stopped. */
  leave(folder: string, one: T): void {
    const known = this.#folders.get(folder);
    known?.left.then((left) => left.set(one.key, [...(left.get(one.key) ?? []), one])).catch(() => undefined);
  }

  #look(folder: string, list: () => Promise<Map<string, T[]>>): Promise<Map<string, T[]>> {
    const known = this.#folders.get(folder);
    if (known !== undefined && known.age.elapsed() < lookAgainMs) return known.left;
    if (this.#folders.size >= maxFolders) this.#folders.clear();
    const left = list();
    this.#folders.set(folder, { age: clock.stopwatch(), left });
    return left;
  }
}
