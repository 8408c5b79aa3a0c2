import { sortRows } from '../rows/sorted-rows.ts';
import { compareRows } from './compare-rows.ts';
import { readDids } from './did-list.ts';
import { findMetadata } from './parts/dids.ts';
import type { ListedDid, Source } from './source.ts';

/** The list of the DIDs of a scope, as one server has it. */
export interface ScopeList extends Source {
  /** Written by `saveDids`. */
  readonly file: string;
}

/**
 * The DIDs that a server leaves out of its list of a scope, but not of its other answers: suppressed ones. They show because
 * the other server lists them.
 *
 * @returns Those of the left server, and those of the right one.
 */
export async function findHiddenDids(
  lists: readonly [ScopeList, ScopeList],
  folder: string,
): Promise<[ListedDid[], ListedDid[]]> {
  const [left, right] = lists.map(({ file }) => sortRows(rowsOf(file), folder)) as [Rows, Rows];
  const missing: [ListedDid[], ListedDid[]] = [[], []];
  for await (const finding of compareRows('dids', left, right)) {
    // The right server may suppress a DID that only the left one lists, and the other way round.
    if (finding.kind === 'left') missing[1].push(finding.value['did'] as ListedDid);
    if (finding.kind === 'right') missing[0].push(finding.value['did'] as ListedDid);
  }
  const [inLeft, inRight] = [await findMetadata(lists[0], missing[0]), await findMetadata(lists[1], missing[1])];
  return [inLeft, inRight];
}

type Rows = ReturnType<typeof sortRows>;

async function* rowsOf(file: string) {
  for await (const did of readDids(file)) yield { key: `${did.scope}:${did.name}`, value: { did } };
}
