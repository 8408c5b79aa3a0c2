import type { ItemKey, PreparedItem } from './prepared-item.ts';

/** Where items are written. Calls follow each other; only the writes of one call are in parallel. */
export interface Target {
  /** The target in words. */
  readonly address: string;
  /** The state of settled writes from which the next run continues. */
  readonly progress: string;
  /**
   * Prepares the target.
   *
   * @param progress That of the last run that wrote here; undefined: the first run.
   * @throws UsageError if it holds something else, or is in use.
   */
  open(progress: string | undefined): Promise<void>;
  /** Writes items, whatever is there; no two of them have the same key. */
  put(items: readonly PreparedItem[]): Promise<void>;
  /** Deletes items; missing ones are ignored. */
  delete(keys: readonly ItemKey[]): Promise<void>;
  /**
   * Whether everything that was written so far survives a crash.
   *
   * @param atOnce Makes it so.
   */
  settle(atOnce: boolean): Promise<boolean>;
  /** Makes the target ready for a server, once everything is written. */
  finish(): Promise<void>;
  /** Releases the target. Idempotent. */
  close(): Promise<void>;
}

/** The most items of a request of DynamoDB. */
export const itemsPerRequest = 25;
