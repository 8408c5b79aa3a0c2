import type { Table } from '../../store/batches/table.ts';
import { readOption } from '../config/options.ts';

/**
 * What an import does to what is there already: `append` adds and leaves the rest alone, `edit` changes it too, `hard`
 * also takes away what the import does not name (spec/rses.md 1.30).
 */
export type SyncMethod = 'append' | 'edit' | 'hard';

/** How an import treats each kind of thing. */
export interface SyncMethods {
  /** RSEs and their protocols. */
  readonly rses: SyncMethod;
  readonly attributes: SyncMethod;
}

/** As the section `importer` of the configuration says. */
export async function readSyncMethods(table: Table): Promise<SyncMethods> {
  const [rses, attributes] = await Promise.all([
    readOption(table, 'importer', 'rse_sync_method'),
    readOption(table, 'importer', 'attr_sync_method'),
  ]);
  return { rses, attributes };
}
