import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, getDid, getDids } from '../../store/entities/did.ts';
import type { Rule } from '../../store/entities/rule.ts';
import { byScopeAndName, filesBelow, placeOf } from '../did-graph/files-below.ts';
import { chunksOf } from '../values/chunks.ts';
import { formatDid } from '../values/format-did.ts';

/** Files whose replicas are read at once. */
const atOnce = 500;

/**
 * The files of the DID of a rule, each once, by scope and name. Costs a read of each file and of each attachment; memory
 * does not grow with their number.
 *
 * @param from The first file that is wanted; absent: all are. What is attached before it is read all the same.
 */
export async function* filesOfRule(table: Table, rule: Pick<Rule, 'did'>, from?: DidKey): AsyncGenerator<Did> {
  const did = await getDid(table, rule.did);
  if (did === undefined) return;
  const files = did.type === 'FILE' ? [did] : filesBelow(table, [did]);
  for await (const chunk of chunksOf(wantedOf(files, from), atOnce)) {
    const found = new Map((await getDids(table, chunk)).map((file) => [formatDid(file), file]));
    for (const key of chunk.toSorted(byScopeAndName)) {
      const file = found.get(formatDid(key));
      if (file !== undefined) yield file;
    }
  }
}

async function* wantedOf(files: AsyncIterable<DidKey> | Iterable<DidKey>, from?: DidKey): AsyncGenerator<DidKey> {
  for await (const { scope, name } of files) {
    if (from === undefined || placeOf({ scope, name }) >= placeOf(from)) yield { scope, name };
  }
}
