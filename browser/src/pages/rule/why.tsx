import { useState } from 'preact/hooks';

import type { Rule } from '../../api/types.ts';
import { counted } from '../../format.ts';
import { placeUrl } from '../../router.ts';
import { MoverNote } from '../requests/mover-note.tsx';
import { SourcelessFiles, useSourceless } from './sourceless.tsx';
import { WhyStuck } from './stuck.tsx';

/** Why a rule is not OK, in a sentence, and what can be done. */
export function WhyNot({ rule }: { rule: Rule }) {
  switch (rule.state) {
    case 'OK':
      return null;
    case 'STUCK':
      return <WhyStuck rule={rule} />;
    case 'REPLICATING':
      return <WhyReplicating rule={rule} />;
    case 'WAITING_APPROVAL':
      return (
        <div class="note" data-tone="waiting">
          <p>The rule does nothing until somebody with the right to do so approves it.</p>
        </div>
      );
    default:
      return (
        <div class="note" data-tone="waiting">
          <p>
            The rule is {rule.state.toLowerCase()}. {rule.error ?? ''}
          </p>
        </div>
      );
  }
}

function WhyReplicating({ rule }: { rule: Rule }) {
  const [there] = useState(rule.locks_ok_cnt);
  const sourceless = useSourceless(rule) ?? [];
  const awaited = rule.locks_replicating_cnt - sourceless.length;
  return (
    <>
      <SourcelessFiles rule={rule} files={sourceless} />
      {awaited > 0 && (
        <div class="note" data-tone="busy">
          <p>
            {counted(awaited, sourceless.length > 0 ? 'other file' : 'file')} still {awaited === 1 ? 'has' : 'have'} to
            be copied. A mover takes {awaited === 1 ? 'it' : 'them'} as{' '}
            <a href={placeUrl(['requests'], { dst: rule.rse_expression })}>transfers</a>, where failed attempts are
            shown, and reports what has arrived.
          </p>
        </div>
      )}
      {/* Files arrive while the page is open: somebody copies. */}
      {awaited > 0 && rule.locks_ok_cnt === there && <MoverNote destinations={rule.rse_expression} />}
    </>
  );
}
