import type { DidKey } from '../../../contract/schemas/did.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type FileDid, getFiles } from '../../../store/entities/did.ts';
import { withoutMetadata } from '../../../store/entities/file-room.ts';
import type { Rule } from '../../../store/entities/rule.ts';
import type { Insert } from '../../../store/items/plan.ts';
import {
  type ContentPosition,
  ContentWalk,
  getStartPosition,
  isFormer,
  readChildren,
} from '../../did-graph/content-walk.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { formatDid } from '../../values/format-did.ts';
import { maxItemsPerStep } from '../../values/worker.ts';

/** Whose content is read: the DID of a rule, or a collection below it. */
export type ContentRoot = Pick<Rule, 'did' | 'didType'>;

/** A file, and the position after it. */
export interface PartFile {
  readonly file: FileDid;
  /** Absent: the position is that of the whole part. */
  readonly position?: ContentPosition;
}

/** A part of the content of the DID of a rule, for one step of a task. */
export interface ContentPart {
  /** In their order, in their latest state. */
  readonly files: readonly PartFile[];
  readonly datasets: readonly DidKey[];
  /** The start of the next part; absent: this is the last one. */
  readonly next?: ContentPosition;
  /** The writes that must be committed together with `next`. */
  readonly kept: readonly Insert[];
}

/** Items that one file usually changes: its own and transfers to two RSEs. */
const itemsPerFile = 3;

/** The size of a part in files, and the weight of a file and of a collection, which costs a query. */
const partSize = { limit: 1_000, cautious: 100, file: 1, collection: 10 };

/** Options of a part. */
export interface PartOptions {
  /** Reads a small part, since a larger one may have crashed a process. */
  readonly isCautious?: boolean;
  /** Also reads what is below containers that were detached since this time, in milliseconds since 1970. */
  readonly since?: number;
}

/**
 * Reads the next part of the content of the DID of a rule, even while the DID is being deleted. Each dataset appears
 * once; a file of several datasets may appear in several parts. Costs a read of each file and of its attachment.
 */
export async function readContentPart(
  table: Table,
  { did, didType }: ContentRoot,
  after?: ContentPosition,
  { isCautious = false, since }: PartOptions = {},
): Promise<ContentPart> {
  if (didType === 'FILE') {
    return { files: (await getFiles(table, [did])).map((file) => ({ file })), datasets: [], kept: [] };
  }
  const walk = new ContentWalk(table, after ?? getStartPosition({ ...did, type: didType }), {
    visits: async (child) => child.type === 'CONTAINER' || !isFormer(child),
    ...(since === undefined ? {} : { since }),
  });
  const wanted: FilesToRead = new Map();
  const datasets: DidKey[] = [];
  for (let left = isCautious ? partSize.cautious : partSize.limit; left > 0;) {
    const dataset = await walk.next();
    if (dataset === undefined) break;
    if (walk.place?.after === undefined) {
      datasets.push(dataset);
      left -= partSize.collection;
    }
    if (left > 0) left -= await readFiles(table, walk, wanted, left);
  }
  await walk.next();
  const next = walk.isOver ? {} : { kept: walk.flush(), next: walk.position() };
  return { files: await readFilesInOrder(table, wanted), datasets, kept: [], ...next };
}

type FilesToRead = Map<string, { readonly did: DidKey; readonly position: ContentPosition }>;

/** Collects files of the current dataset, and finishes it after the last one. @returns Their number. */
async function readFiles(table: Table, walk: ContentWalk, wanted: FilesToRead, limit: number): Promise<number> {
  const { place } = walk;
  if (place === undefined) return 0;
  const children = await readChildren(table, place, limit);
  const position = walk.position();
  for (const { child, place: dataset } of children) {
    const name = formatDid(child);
    if (!wanted.has(name)) wanted.set(name, { did: child, position: { ...position, dataset } });
    walk.moveTo(dataset);
  }
  if (children.length < limit) walk.leave();
  return children.length * partSize.file;
}

async function readFilesInOrder(table: Table, wanted: FilesToRead): Promise<PartFile[]> {
  const files = [...wanted.values()];
  const found = await getFiles(
    table,
    files.map(({ did }) => did),
  );
  const read = new Map(found.map((file) => [formatDid(file), withoutMetadata(file)]));
  return files.flatMap(({ did, position }) => {
    const file = read.get(formatDid(did));
    return file === undefined ? [] : [{ file, position }];
  });
}

/** Changes of a step in files of a part, and its end position; absent: the end of the part. */
export interface Portion {
  readonly changes: ReplicaChanges;
  readonly position?: ContentPosition;
}

/** Changes the files of a part in portions that fit into a step each. */
export function* splitIntoPortions(
  files: readonly PartFile[],
  now: number,
  change: (changes: ReplicaChanges, file: FileDid) => void,
): Generator<Portion> {
  let changes = new ReplicaChanges(now);
  for (const [index, { file, position }] of files.entries()) {
    change(changes, file);
    const isLast = index === files.length - 1;
    if (changes.touched < maxItemsPerStep - itemsPerFile || position === undefined || isLast) continue;
    yield { changes, position };
    changes = new ReplicaChanges(now);
  }
  yield { changes };
}
