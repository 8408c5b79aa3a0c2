import type { DidKey } from '../../../contract/schemas/did.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Insert } from '../../../store/plan.ts';
import { formatDid } from '../../dids/format-did.ts';

/** When it is looked again at what was decided by an index that may be late, in milliseconds. */
const patience = 60_000;

/** Files that are named in one note. */
const filesPerNote = 100;

/**
 * The notes that have it looked again whether files are below a rule: what was decided about them rests on an index
 * that may have been late.
 *
 * @param now In milliseconds since 1970.
 */
export function recheckLater(ruleId: string, files: readonly DidKey[], now: number): Insert[] {
  const notes: Insert[] = [];
  const different = [
    ...new Map(files.map(({ scope, name }) => [formatDid({ scope, name }), { scope, name }])).values(),
  ];
  for (let start = 0; start < different.length; start += filesPerNote) {
    const named = different.slice(start, start + filesPerNote);
    notes.push(insertWork({ kind: 'recheck', ruleId, files: named }, now + patience));
  }
  return notes;
}
