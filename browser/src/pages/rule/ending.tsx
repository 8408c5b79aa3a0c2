import { useRef } from 'preact/hooks';

import type { Rule } from '../../api/types.ts';
import { counted, readDate } from '../../format.ts';
import { type Asked, useLateFocus } from '../../late-focus.ts';
import { placeUrl } from '../../router.ts';
import { endsSoon } from '../../ui/rule-table.tsx';
import { Time } from '../../ui/values.tsx';
import { countLocks } from './locks.ts';

/** The lifetime that a deleted rule still has. */
const graceMs = 3_600_000;

/** Whether a rule ends soon and was made for longer than that, as one that was deleted: what it lacks matters no more. */
export function isLeaving(rule: Rule): boolean {
  const [end, begin] = [rule.expires_at, rule.created_at].map((at) => readDate(at)?.getTime() ?? 0);
  return endsSoon(rule) && Number(end) - Number(begin) > graceMs;
}

/** Says when a rule ends and what happens to its locks. A reader who has deleted it has the focus here. */
export function RuleEnding({
  rule,
  deleted,
}: {
  rule: Rule;
  /** When the reader asked to delete the rule, if they did. */
  deleted: Asked | undefined;
}) {
  const note = useRef<HTMLDivElement>(null);
  const isSoon = endsSoon(rule);
  useLateFocus(note, isSoon ? deleted : undefined);
  if (!isSoon) return null;
  return (
    <div ref={note} class="note" data-tone="waiting" role="status" tabIndex={-1}>
      <p>
        <strong>
          The rule ends <Time of={rule.expires_at} relative />
        </strong>
        , at <Time of={rule.expires_at} />. Until then its {counted(countLocks(rule), 'lock')} stay, and nothing is
        deleted.
      </p>
      <p>
        Then the locks go. Files that no other rule keeps may be deleted from their RSEs,{' '}
        {rule.purge_replicas ? 'at once' : 'when space is needed'}: the{' '}
        <a href={placeUrl(['rses'], { expression: rule.rse_expression })}>pages of the RSEs</a> list them under “What
        may be deleted”. To keep the rule after all, set another end below before that.
      </p>
    </div>
  );
}
