import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { type FileDid, getDid, getFiles } from '../../store/entities/did.ts';
import type { Rule } from '../../store/entities/rule.ts';
import { filesBelow } from '../did-graph/files-below.ts';
import { byScopeAndName, didSortKey } from '../values/did-order.ts';
import { formatDid } from '../values/format-did.ts';
import { splitIntoChunks } from '../values/split-into-chunks.ts';

/** Files whose replicas are read in one batch. */
const filesPerRead = 500;

/**
 * Lists the files of the DID of a rule, each once, by scope and name. Costs a read of each file and of each attachment.
 * Memory does not grow with their number.
 *
 * @param first The first file to list; absent: all. The attachments before it are read nevertheless.
 */
export async function* listFilesOfRule(table: Table, rule: Pick<Rule, 'did'>, first?: DidKey): AsyncGenerator<FileDid> {
  const did = await getDid(table, rule.did);
  if (did === undefined) return;
  const files = did.type === 'FILE' ? [did] : filesBelow(table, [did]);
  for await (const chunk of splitIntoChunks(filesFrom(files, first), filesPerRead)) {
    const found = new Map((await getFiles(table, chunk)).map((file) => [formatDid(file), file]));
    for (const key of chunk.toSorted(byScopeAndName)) {
      const file = found.get(formatDid(key));
      if (file !== undefined) yield file;
    }
  }
}

async function* filesFrom(files: AsyncIterable<DidKey> | Iterable<DidKey>, first?: DidKey): AsyncGenerator<DidKey> {
  for await (const { scope, name } of files) {
    if (first === undefined || didSortKey({ scope, name }) >= didSortKey(first)) yield { scope, name };
  }
}
