import type { DidKey } from '../../../contract/schemas/did.ts';
import { type Did, getDids } from '../../../store/entities/did.ts';
import type { Rule } from '../../../store/entities/rule.ts';
import type { Table } from '../../../store/table.ts';
import { formatDid } from '../../dids/format-did.ts';
import { descend } from '../../dids/walk.ts';
import type { Position } from '../../paging/page.ts';
import { ReplicaChanges } from '../../replicas/replica-changes.ts';
import { touchedPerStep } from '../../work/worker.ts';

/** A file, and where what comes after it begins. */
export interface FileOfPart {
  readonly file: Did;
  /** Absent: the part is over with it. */
  readonly position?: Position;
}

/** A part of what lies below the DID of a rule, for one step of a task. */
export interface Part {
  /** As they are now, in their order. */
  readonly files: readonly FileOfPart[];
  readonly datasets: readonly DidKey[];
  /** Where the next part begins; absent: there is none. */
  readonly next?: Position;
}

/** Items that a single file touches, mostly: itself, and transfers to two RSEs. */
const widest = 3;

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
  if (didType === 'FILE') return { files: (await getDids(table, [did])).map((file) => ({ file })), datasets: [] };
  const files = new Map<string, { readonly did: DidKey; readonly position: Position }>();
  const datasets = new Map<string, DidKey>();
  if (didType === 'DATASET' && after === undefined) datasets.set(formatDid(did), did);
  let position = after;
  let sum = 0;
  let isCut = false;
  for await (const { edge, position: here } of descend(table, did, after === undefined ? {} : { page: { after } })) {
    isCut = sum >= size.most;
    if (isCut) break;
    if (edge.type === 'FILE') {
      if (!files.has(formatDid(edge.child))) files.set(formatDid(edge.child), { did: edge.child, position: here });
    } else if (edge.type === 'DATASET') datasets.set(formatDid(edge.child), edge.child);
    sum += edge.type === 'FILE' ? size.file : size.collection;
    position = here;
  }
  const next = isCut && position !== undefined ? { next: position } : {};
  const wanted = [...files.values()];
  const found = await getDids(
    table,
    wanted.map((file) => file.did),
  );
  const read = new Map(found.map((file) => [formatDid(file), file]));
  return {
    files: wanted.flatMap(({ did: key, position: here }) => {
      const file = read.get(formatDid(key));
      return file === undefined ? [] : [{ file, position: here }];
    }),
    datasets: [...datasets.values()],
    ...next,
  };
}

/** What a step does to files of a part, and where it leaves off; absent: at the end of the part. */
export interface Portion {
  readonly changes: ReplicaChanges;
  readonly position?: Position;
}

/** Changes the files of a part in portions, each small enough for a step. */
export function* portionsOf(
  files: readonly FileOfPart[],
  now: number,
  change: (changes: ReplicaChanges, file: Did) => void,
): Generator<Portion> {
  let changes = new ReplicaChanges(now);
  for (const [index, { file, position }] of files.entries()) {
    change(changes, file);
    const isLast = index === files.length - 1;
    if (changes.touched < touchedPerStep - widest || position === undefined || isLast) continue;
    yield { changes, position };
    changes = new ReplicaChanges(now);
  }
  yield { changes };
}
