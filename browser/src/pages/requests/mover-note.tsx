import type { ComponentChildren } from 'preact';

import { useLoad } from '../../load.ts';
import { RseLink, Time } from '../../ui/values.tsx';
import { MoverAdvice } from './mover-advice.tsx';
import { findNeglected, findUnserved, type Neglected, type Unserved } from './movers.ts';

/** Says that no mover seems to copy to some RSEs, and what to do; nothing while one does, or nothing waits. */
export function MoverNote({ destinations }: { destinations: string }) {
  const { value } = useLoad(`movers ${destinations}`, (signal) => findNeglected(destinations, signal));
  if (value === undefined || value.length === 0) return null;
  return (
    <div class="note" data-tone="waiting" role="status">
      {value.map((rse) => (
        <p key={rse.rse}>
          <Reason of={rse} />
        </p>
      ))}
      <MoverAdvice rse={value[0]?.rse ?? ''} isSet={value.every(({ mover }) => mover !== undefined)} />
    </div>
  );
}

function Reason({ of: { rse, mover, since, hasHistory } }: { of: Neglected }) {
  const joined = mover === undefined ? 'and' : 'but';
  return (
    <>
      <strong>{mover === undefined ? 'No mover is known for ' : 'No mover seems to run for '}</strong>
      <RseLink rse={rse} />: its attribute <code>mover</code>{' '}
      {mover === undefined ? (
        'is not set, '
      ) : (
        <>
          is <code>{mover}</code>,{' '}
        </>
      )}
      {hasHistory
        ? `${joined} nobody has taken what waits now. Earlier copies to it have ended within the last 30 days.`
        : `${joined} nobody has taken a transfer to it within the last 30 days.`}{' '}
      The oldest transfer to it, of any rule, was asked for <Time of={since} relative />.
    </>
  );
}

/** Says, before there is a rule, to which RSEs nobody is known to copy; nothing if there is none. */
export function UnservedNote({ rses }: { rses: readonly string[] }) {
  const { value } = useLoad(`unserved ${rses.join(' ')}`, (signal) => findUnserved(rses, signal));
  const [first] = value ?? [];
  if (value === undefined || first === undefined) return null;
  return (
    <div class="note" data-tone="waiting">
      <Unknown of={value.filter(({ hasHistory }) => !hasHistory)}>
        nobody has taken a transfer within the last 30 days.
      </Unknown>
      <Unknown of={value.filter(({ hasHistory }) => hasHistory)}>
        nobody is at a transfer now. Copies have ended within the last 30 days; they may have been made by hand.
      </Unknown>
      <p>Files wait there until somebody copies them.</p>
      <MoverAdvice rse={first.rse} isSet={false} />
    </div>
  );
}

function Unknown({ of: rses, children }: { of: readonly Unserved[]; children: ComponentChildren }) {
  if (rses.length === 0) return null;
  return (
    <p>
      <strong>No mover is known for </strong>
      {rses.map(({ rse }, i) => (
        <span key={rse}>
          {i > 0 && ', '}
          <RseLink rse={rse} />
        </span>
      ))}
      : the attribute <code>mover</code> is not set, and {children}
    </p>
  );
}
