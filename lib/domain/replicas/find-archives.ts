import type { DidKey } from '../../contract/schemas/did.ts';
import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { type FileDid, getFiles } from '../../store/entities/did.ts';
import { listArchives } from '../../store/entities/parents.ts';
import { formatDid } from '../values/format-did.ts';

/** Questions for archives that are under way at once. */
const parallel = 50;

/** The archives that hold files, by the file as `scope:name`; a query for each file, then the archives at once. */
export async function findArchives(
  table: Table,
  files: readonly DidKey[],
): Promise<ReadonlyMap<string, readonly FileDid[]>> {
  const holders = await mapLimited(files, parallel, async (file) => {
    return [formatDid(file), await Array.fromAsync(listArchives(table, file))] as const;
  });
  const found = await getFiles(
    table,
    holders.flatMap(([, archives]) => archives),
  );
  const byName = new Map(found.map((archive) => [formatDid(archive), archive]));
  return new Map(
    holders.map(([file, archives]) => [file, archives.flatMap((archive) => byName.get(formatDid(archive)) ?? [])]),
  );
}
