import type { Table } from '../../store/batches/table.ts';
import { readOption } from '../config/read-option.ts';

/**
 * Effect of an import on stored things: `append` only adds, `edit` also changes them, `hard` also removes those that the
 * import does not name (spec/rses.md 1.30).
 */
export type SyncMethod = 'append' | 'edit' | 'hard';

/** The methods of an import by kind of thing. */
export interface SyncMethods {
  /** RSEs and their protocols. */
  readonly rses: SyncMethod;
  readonly attributes: SyncMethod;
}

/** Reads the methods from the section `importer` of the configuration. */
export async function readSyncMethods(table: Table): Promise<SyncMethods> {
  const [rses, attributes] = await Promise.all([
    readOption(table, 'importer', 'rse_sync_method'),
    readOption(table, 'importer', 'attr_sync_method'),
  ]);
  return { rses, attributes };
}
