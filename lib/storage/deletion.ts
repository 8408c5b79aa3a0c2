import type { Integer } from '../integer.ts';

/** What became of a file that was to be deleted from a storage. */
export interface Deletion {
  /** `absent`: it was not there; `kept`: nobody wants it to be deleted any more. */
  readonly outcome: 'deleted' | 'absent' | 'kept';
  /** The size of a deleted file, if the storage tells it. */
  readonly bytes?: Integer;
}

/**
 * Asked directly before the step that nobody can take back, after everything that takes time: whether the file is still to be
 * deleted.
 */
export type Confirm = () => Promise<boolean>;

/** Deletes files from the storage of one RSE. A folder is never deleted, and never what is in one. */
export interface Deleter {
  /**
   * Deletes a file.
   *
   * @param path Its path below the prefix of the RSE, without a leading slash.
   * @throws StorageRefusal if it seems that the storage as a whole cannot be used, which {@link probe} tells; another Error
   *   if this file cannot be deleted.
   */
  delete(path: string, confirm: Confirm): Promise<Deletion>;
  /** Looks whether the storage as a whole can be used, without any effect. @throws StorageRefusal if it can not. */
  probe(): Promise<void>;
}

/** The storage cannot be used, or denies access: further attempts may fail as well. */
export class StorageRefusal extends Error {
  override readonly name = 'StorageRefusal';
}

/**
 * Why no file may be deleted at a path, whoever registered it: it may name a folder, or another place than it seems to.
 * Undefined: it names one file below the prefix. The storage may still hold a folder there.
 */
export function findUnsafePart(path: string): string | undefined {
  if (path === '' || path === '/') return 'it is empty';
  if (path.endsWith('/')) return 'it ends with a slash';
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(path) || !path.isWellFormed()) return 'it holds a control character';
  // Some servers decode what they have decoded already.
  for (let text = path, decodings = 0; decodings < 3; decodings += 1) {
    if (text.split(/[/\\]/).some((part) => /^\s*\.{1,2}\s*$/.test(part))) return 'it leaves its folder';
    text = decodeMarks(text);
  }
  return undefined;
}

const escapes = new Map([
  ['%2e', '.'],
  ['%2f', '/'],
  ['%5c', '\\'],
  ['%25', '%'],
]);

const decodeMarks = (text: string) =>
  text.replaceAll(/%(?:2e|2f|5c|25)/gi, (mark) => escapes.get(mark.toLowerCase()) ?? mark);
