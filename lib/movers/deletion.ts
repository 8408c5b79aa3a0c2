import type { Integer } from '../integer.ts';

/** The outcome of deleting a file from a storage. */
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

/** Deletes files from the storage of one RSE. It never deletes a folder or its content. */
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
