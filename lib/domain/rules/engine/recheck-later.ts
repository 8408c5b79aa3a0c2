import { chunksOf } from '../../../chunks.ts';
import type { DidKey } from '../../../contract/schemas/did.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Insert } from '../../../store/items/plan.ts';
import { formatDid } from '../../values/format-did.ts';

/** Delay until the index, which is eventually consistent, surely shows an attachment. */
const indexDelayMs = 60_000;

/** Files per task. */
const filesPerNote = 100;

/**
 * The tasks that check again whether files are below the DID of a rule: the first decision used an index that may have
 * lagged, or raced with another change.
 *
 * @param now In milliseconds since 1970.
 */
export function recheckLater(ruleId: string, files: readonly DidKey[], now: number): Insert[] {
  const distinct = [...new Map(files.map(({ scope, name }) => [formatDid({ scope, name }), { scope, name }])).values()];
  return chunksOf(distinct, filesPerNote).map((chunk) =>
    insertWork({ kind: 'recheck', ruleId, files: chunk }, now + indexDelayMs),
  );
}
