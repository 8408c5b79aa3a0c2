import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file on a storage. */
export interface StoredFile {
  /** Below the prefix of the RSE, without a leading slash. */
  readonly path: string;
  readonly bytes?: number;
  /** In milliseconds since 1970. */
  readonly modifiedAt?: number;
}

/** The files on a storage, and the time at which they were listed, in milliseconds since 1970. */
export interface Listing {
  readonly listedAt: number;
  readonly files: AsyncIterable<StoredFile>;
}

/**
 * The files below a folder of this machine. Symbolic links are not followed.
 *
 * @param listedAt In milliseconds since 1970; absent: now.
 */
export function walkFolder(folder: string, listedAt = Date.now()): Listing {
  return { listedAt, files: walk(folder, '') };
}

async function* walk(folder: string, below: string): AsyncGenerator<StoredFile> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(folder, path);
    if (!entry.isFile()) continue;
    const found = await stat(join(folder, path)).catch(() => undefined);
    if (found !== undefined) yield { path, bytes: found.size, modifiedAt: found.mtimeMs };
  }
}

/** How a listing in a file is read. */
interface FileOptions {
  /** Prefix that is cut off every path. */
  readonly prefix: string;
  /** When the listing was made, in milliseconds since 1970; absent: when its file was begun to be written, at the earliest. */
  readonly listedAt: number | undefined;
}

/**
 * A listing in a file: a path on each line, or the size, a tab and the path.
 *
 * @throws Error for a line that does not begin with the prefix.
 */
export async function readListing(file: string, { prefix, listedAt }: FileOptions): Promise<Listing> {
  const { birthtimeMs, mtimeMs } = await stat(file);
  const begunAt = birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs;
  return { listedAt: listedAt ?? begunAt, files: readLines(file, prefix) };
}

async function* readLines(file: string, prefix: string): AsyncGenerator<StoredFile> {
  const handle = await open(file);
  for await (const line of handle.readLines()) {
    if (line === '') continue;
    const [, size, rest] = /^(\d+)\t(.*)$/s.exec(line) ?? [];
    const whole = rest ?? line;
    if (!whole.startsWith(prefix)) throw new Error(`${file}: ${whole} does not begin with ${prefix}`);
    const path = whole.slice(prefix.length).replace(/^\/+/, '');
    yield { path, ...(size === undefined ? {} : { bytes: Number(size) }) };
  }
}
