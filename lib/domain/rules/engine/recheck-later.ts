import type { DidKey } from '../../../contract/schemas/did.ts';
import { insertWork } from '../../../store/entities/work.ts';
import { chunksOf } from '../../../store/items/chunks.ts';
import type { Insert } from '../../../store/items/plan.ts';
import { formatDid } from '../../values/format-did.ts';

/** When it is looked again at what was decided by an index that may be late, in milliseconds. */
const patience = 60_000;

/** Files that are named in one note. */
const filesPerNote = 100;

/**
 * The tasks that look again whether files are below a rule: what was decided about them rests on an index that may have
 * been late, or on a look that others have overtaken.
 *
 * @param now In milliseconds since 1970.
 */
export function recheckLater(ruleId: string, files: readonly DidKey[], now: number): Insert[] {
  const different = [
    ...new Map(files.map(({ scope, name }) => [formatDid({ scope, name }), { scope, name }])).values(),
  ];
  return chunksOf(different, filesPerNote).map((some) =>
    insertWork({ kind: 'recheck', ruleId, files: some }, now + patience),
  );
}
