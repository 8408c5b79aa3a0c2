import type { DidKey } from '../../contract/schemas/did.ts';
import { mapRows } from '../../rows/map-rows.ts';
import { flattenPages } from '../../rows/paged-rows.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { type FileDid, getDid, getFiles } from '../../store/entities/did.ts';
import type { Rule } from '../../store/entities/rule.ts';
import { filesBelow } from '../did-graph/files-below.ts';
import { byScopeAndName, didSortKey } from '../values/did-order.ts';
import { formatDid } from '../values/format-did.ts';

/** Files whose replicas are read in one batch. */
const filesPerRead = 500;

/**
 * Lists the files of the DID of a rule, each once, by scope and name. Costs a read of each file and of each attachment.
 * Memory does not grow with their number.
 *
 * @param first The first file to list; absent: all. The attachments before it are read nevertheless.
 */
export function listFilesOfRule(table: Table, rule: Pick<Rule, 'did'>, first?: DidKey): ReadyRows<FileDid> {
  return flattenPages(readFiles(table, rule, first));
}

async function* readFiles(
  table: Table,
  rule: Pick<Rule, 'did'>,
  first: DidKey | undefined,
): AsyncGenerator<readonly FileDid[]> {
  const did = await getDid(table, rule.did);
  if (did === undefined) return;
  const files = did.type === 'FILE' ? [did] : filesBelow(table, [did]);
  for await (const chunk of splitIntoChunks(filesFrom(files, first), filesPerRead)) {
    const found = new Map((await getFiles(table, chunk)).map((file) => [formatDid(file), file]));
    yield chunk.toSorted(byScopeAndName).flatMap((key) => found.get(formatDid(key)) ?? []);
  }
}

function filesFrom(files: AsyncIterable<DidKey> | Iterable<DidKey>, first?: DidKey): ReadyRows<DidKey> {
  const from = first === undefined ? '' : didSortKey(first);
  return mapRows(files, ({ scope, name }) => (didSortKey({ scope, name }) >= from ? { scope, name } : undefined));
}
