import { getPage, path, postLines } from '../../api/client.ts';
import type { Target } from '../../api/contract.ts';
import type { ReplicaLine, ReplicaLockLine, Rule } from '../../api/types.ts';
import { counted } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { DidLink, RseLink } from '../../ui/values.tsx';
import { analysedLocks, countLocks } from './locks.ts';
import { RecoveryAdvice } from './recovery.tsx';

/** At most this many waiting files are checked, and this many shown. */
const checkedFiles = 200;
const shownFiles = 20;

/** The files of a rule that wait for a copy, although there is nothing to copy from; undefined if nobody has looked. */
export function useSourceless(rule: Rule): readonly ReplicaLockLine[] | undefined {
  const target = path('/rules/:rule_id/locks', { rule_id: rule.id });
  // Once: a rule changes with every file that arrives.
  return useLoad(`sources ${rule.id}`, async (signal) =>
    countLocks(rule) > analysedLocks ? undefined : findSourceless(target, signal),
  ).value;
}

/** Warns of files that nothing can be copied from, and says how to help them. */
export function SourcelessFiles({ rule, files }: { rule: Rule; files: readonly ReplicaLockLine[] }) {
  if (files.length === 0) return null;
  const shown = files.slice(0, shownFiles);
  const isOne = files.length === 1;
  return (
    <div class="note" data-tone="bad" role="status">
      <p>
        <strong>
          {counted(files.length, 'file')} {isOne ? 'has' : 'have'} no good replica on any RSE, so no mover can copy{' '}
          {isOne ? 'it' : 'them'}.
        </strong>{' '}
        Recover or register a replica of {isOne ? 'this file, or detach it' : 'these files, or detach them'}.
      </p>
      <RecoveryAdvice rule={rule} files={shown} />
      <ul class="plain-list">
        {shown.map(({ scope, name, rse }) => (
          <li key={`${scope}:${name} ${rse}`}>
            <DidLink scope={scope} name={name} /> to <RseLink rse={rse} />
          </li>
        ))}
      </ul>
      {files.length > shownFiles && (
        <p class="hint">
          These are {shownFiles} of {counted(files.length, 'file')}.
        </p>
      )}
    </div>
  );
}

async function findSourceless(
  target: Target<'/rules/:rule_id/locks'>,
  signal: AbortSignal,
): Promise<readonly ReplicaLockLine[]> {
  const locks = await getPage(target, analysedLocks, undefined, { signal });
  const waiting = locks.rows.filter(({ state }) => state === 'REPLICATING').slice(0, checkedFiles);
  if (waiting.length === 0) return [];
  const dids = waiting.map(({ scope, name }) => ({ scope, name }));
  const replicas = await postLines('/replicas/list', { body: { dids, all_states: true }, signal });
  const copied = new Set(replicas.filter(hasSource).map(({ scope, name }) => `${scope}:${name}`));
  return waiting.filter(({ scope, name }) => !copied.has(`${scope}:${name}`));
}

const hasSource = ({ states }: ReplicaLine) => Object.values(states).includes('AVAILABLE');
