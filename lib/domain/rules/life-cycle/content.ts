import type { DidKey } from '../../../contract/schemas/did.ts';
import { type Did, getDids } from '../../../store/entities/did.ts';
import type { Rule } from '../../../store/entities/rule.ts';
import type { Table } from '../../../store/table.ts';
import { formatDid } from '../../dids/names.ts';
import { descend } from '../../dids/walk.ts';
import type { Position } from '../../paging/page.ts';

/** A part of what lies below the DID of a rule, for one step of a task. */
export interface Part {
  /** As they are now. */
  readonly files: readonly Did[];
  readonly datasets: readonly DidKey[];
  /** Where the next part begins; absent: there is none. */
  readonly next?: Position;
}

/** How large a part is, in files; a collection is a query of its own. */
const size = { most: 1_000, file: 1, collection: 10 };

/**
 * The next part of the content of the DID of a rule, also of a DID that is being deleted. What can be reached twice may
 * come in two parts. Costs a read of each file and of its attachment.
 */
export async function readPart(
  table: Table,
  { did, didType }: Pick<Rule, 'did' | 'didType'>,
  after?: Position,
): Promise<Part> {
  if (didType === 'FILE') return { files: await getDids(table, [did]), datasets: [] };
  const files = new Map<string, DidKey>();
  const datasets = new Map<string, DidKey>();
  if (didType === 'DATASET' && after === undefined) datasets.set(formatDid(did), did);
  let position = after;
  let sum = 0;
  let isCut = false;
  for await (const { edge, position: here } of descend(table, did, after === undefined ? {} : { page: { after } })) {
    isCut = sum >= size.most;
    if (isCut) break;
    if (edge.type === 'FILE') files.set(formatDid(edge.child), edge.child);
    else if (edge.type === 'DATASET') datasets.set(formatDid(edge.child), edge.child);
    sum += edge.type === 'FILE' ? size.file : size.collection;
    position = here;
  }
  const next = isCut && position !== undefined ? { next: position } : {};
  return { files: await getDids(table, [...files.values()]), datasets: [...datasets.values()], ...next };
}
