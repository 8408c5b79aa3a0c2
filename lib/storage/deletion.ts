/** What became of a file that was to be deleted from a storage; `absent`: it was not there. */
export type DeletionOutcome = 'deleted' | 'absent';

/** Deletes files from the storage of one RSE. */
export interface Deleter {
  /**
   * Deletes a file.
   *
   * @param path Its path below the prefix of the RSE, without a leading slash.
   * @throws StorageRefusal if the storage as a whole cannot be used; another Error if this file cannot be deleted.
   */
  delete(path: string): Promise<DeletionOutcome>;
}

/** The storage cannot be used, or denies access: further attempts would fail as well. */
export class StorageRefusal extends Error {
  override readonly name = 'StorageRefusal';
}
