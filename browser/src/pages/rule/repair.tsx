import { useEffect, useState } from 'preact/hooks';

import type { Rule } from '../../api/types.ts';
import { counted } from '../../format.ts';

const pollMs = 1_000;
/** A repair begins at once. One that has changed nothing after so many looks has nothing to change. */
const maxLooks = 6;

/** Result of the repair of a rule: the rule before it, beside the rule as it is now. */
export function RepairResult({ before, rule, onLook }: { before: Rule; rule: Rule; onLook: () => void }) {
  const [looks, setLooks] = useState(0);
  const isChanged = rule.state !== before.state || rule.locks_stuck_cnt !== before.locks_stuck_cnt;
  useEffect(() => {
    if (isChanged || looks === maxLooks) return undefined;
    const timer = setTimeout(() => {
      setLooks(looks + 1);
      onLook();
    }, pollMs);
    return () => clearTimeout(timer);
  }, [looks, isChanged]);
  const isOver = isChanged || looks === maxLooks;
  // Copies that are asked for again have not arrived.
  const tone = rule.state === 'OK' ? 'good' : isOver && rule.state === 'STUCK' ? 'waiting' : 'busy';
  return (
    <div class="note" role="status" data-tone={tone}>
      <p>{describeResult(before, rule, isOver)}</p>
      {rule.state !== 'STUCK' && before.error !== null && (
        <p>
          It was stuck because of: <bdi class="name">{before.error}</bdi>
        </p>
      )}
    </div>
  );
}

function describeResult(before: Rule, rule: Rule, isOver: boolean): string {
  if (!isOver) return 'The repair is under way …';
  const stuck = rule.locks_stuck_cnt;
  const solved = before.locks_stuck_cnt - stuck;
  const verb = stuck === 1 ? 'is' : 'are';
  const left = stuck > 0 ? `${counted(stuck, 'copy')} ${verb} still stuck` : 'it is still stuck';
  if (solved <= 0 && rule.state === 'STUCK') return `The repair has changed nothing: ${left}, for the reason below.`;
  const done = solved > 0 ? `asked for ${counted(solved, 'copy')} again` : 'placed the rule';
  return `The repair has ${done}${rule.state === 'STUCK' ? `; ${left}, for the reason below` : ''}.`;
}
