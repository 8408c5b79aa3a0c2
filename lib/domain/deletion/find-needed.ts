import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import type { FileDid } from '../../store/entities/did.ts';
import { RulesAbove } from '../rules/engine/rules-above.ts';
import { formatDid } from '../values/format-did.ts';
import { isLastCopy } from './is-deletable.ts';

/** Files whose rules are looked up in parallel. */
const maxParallelFiles = 16;

/**
 * The files that would be lost with their replica on an RSE although a rule is about them: on the file or on a collection
 * above it, placed or not. Costs two queries for each file that has no other copy, and for each collection above.
 *
 * @param table A view of the latest committed state.
 * @returns Their names.
 */
export async function findNeeded(
  table: Table,
  files: readonly FileDid[],
  rseId: string,
  now: number,
): Promise<ReadonlySet<string>> {
  const last = files.filter((file) => isLastCopy(file, rseId, now));
  const rules = new RulesAbove(table);
  const found = await mapLimited(last, maxParallelFiles, async (file) => (await rules.findRuleIds(file)).size > 0);
  return new Set(last.filter((_file, index) => found[index]).map(formatDid));
}
