import type { DidKey } from '../../../contract/schemas/did.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type Did, getDids, withoutMetadata } from '../../../store/entities/did.ts';
import type { Rule } from '../../../store/entities/rule.ts';
import type { Insert } from '../../../store/items/plan.ts';
import { type ContentPosition, ContentWalk, readChildren, startOf } from '../../did-graph/content-walk.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { formatDid } from '../../values/format-did.ts';
import { touchedPerStep } from '../../values/worker.ts';

/** A file, and where what comes after it begins. */
export interface FileOfPart {
  readonly file: Did;
  /** Absent: the part is over with it. */
  readonly position?: ContentPosition;
}

/** A part of what lies below the DID of a rule, for one step of a task. */
export interface Part {
  /** As they are now, in their order. */
  readonly files: readonly FileOfPart[];
  readonly datasets: readonly DidKey[];
  /** Where the next part begins; absent: there is none. */
  readonly next?: ContentPosition;
  /** What is to be written together with that. */
  readonly kept: readonly Insert[];
}

/** Items that a single file touches, mostly: itself, and transfers to two RSEs. */
const widest = 3;

/** How large a part is, in files; a collection is a query of its own. */
const size = { most: 1_000, cautious: 100, file: 1, collection: 10 };

/**
 * The next part of the content of the DID of a rule, also of a DID that is being deleted. A dataset comes once, a file of
 * several datasets may come in several parts. Costs a read of each file and of its attachment.
 *
 * @param isCautious The part is small: a process may have died of a larger one.
 */
export async function readPart(
  table: Table,
  { did, didType }: Pick<Rule, 'did' | 'didType'>,
  after?: ContentPosition,
  isCautious = false,
): Promise<Part> {
  if (didType === 'FILE') {
    return { files: (await getDids(table, [did])).map((file) => ({ file })), datasets: [], kept: [] };
  }
  const walk = new ContentWalk(table, after ?? startOf({ ...did, type: didType }));
  const wanted: Wanted = new Map();
  const datasets: DidKey[] = [];
  for (let left = isCautious ? size.cautious : size.most; left > 0;) {
    const dataset = await walk.next();
    if (dataset === undefined) break;
    if (walk.place?.after === undefined) {
      datasets.push(dataset);
      left -= size.collection;
    }
    if (left > 0) left -= await readFiles(table, walk, wanted, left);
  }
  await walk.next();
  const next = walk.isOver ? {} : { kept: walk.flush(), next: walk.position() };
  return { files: await load(table, wanted), datasets, kept: [], ...next };
}

type Wanted = Map<string, { readonly did: DidKey; readonly position: ContentPosition }>;

/** Takes files of the dataset at hand, and leaves it where there are no more. @returns How many. */
async function readFiles(table: Table, walk: ContentWalk, wanted: Wanted, most: number): Promise<number> {
  const { place } = walk;
  if (place === undefined) return 0;
  const children = await readChildren(table, place, most);
  const position = walk.position();
  for (const { child, place: dataset } of children) {
    const name = formatDid(child);
    if (!wanted.has(name)) wanted.set(name, { did: child, position: { ...position, dataset } });
    walk.moveTo(dataset);
  }
  if (children.length < most) walk.leave();
  return children.length * size.file;
}

async function load(table: Table, wanted: Wanted): Promise<FileOfPart[]> {
  const files = [...wanted.values()];
  const found = await getDids(
    table,
    files.map(({ did }) => did),
  );
  const read = new Map(found.map((file) => [formatDid(file), withoutMetadata(file)]));
  return files.flatMap(({ did, position }) => {
    const file = read.get(formatDid(did));
    return file === undefined ? [] : [{ file, position }];
  });
}

/** What a step does to files of a part, and where it leaves off; absent: at the end of the part. */
export interface Portion {
  readonly changes: ReplicaChanges;
  readonly position?: ContentPosition;
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
