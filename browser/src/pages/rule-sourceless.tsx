import { getPage, path, postLines } from '../api/client.ts';
import type { ReplicaLine, ReplicaLockLine, Rule } from '../api/types.ts';
import { counted } from '../format.ts';
import { useLoad } from '../load.ts';
import { DidLink, RseLink } from '../ui/values.tsx';
import { analysedLocks, countLocks } from './rule-locks.ts';

/** So many of the files that wait are looked at, and so many are shown. */
const checkedFiles = 200;
const shownFiles = 20;

/** The files of a rule that wait for a copy, although there is nothing to copy from. */
export function SourcelessFiles({ rule }: { rule: Rule }) {
  const target = path`/rules/${rule.id}/locks`;
  // Once: a rule changes with every file that arrives.
  const { value } = useLoad(`sources ${rule.id}`, async (signal) =>
    countLocks(rule) > analysedLocks ? undefined : findSourceless(target, signal),
  );
  if (value === undefined || value.length === 0) return null;
  return (
    <>
      <p>
        <strong>
          {value.length} of them {value.length === 1 ? 'has' : 'have'} no good replica on any RSE, so no mover can copy{' '}
          {value.length === 1 ? 'it' : 'them'}.
        </strong>{' '}
        Recover or register a replica of these files, or detach them.
      </p>
      <ul class="plain-list">
        {value.slice(0, shownFiles).map(({ scope, name, rse }) => (
          <li key={`${scope}:${name} ${rse}`}>
            <DidLink scope={scope} name={name} /> to <RseLink rse={rse} />
          </li>
        ))}
      </ul>
      {value.length > shownFiles && (
        <p class="hint">
          These are {shownFiles} of {counted(value.length, 'file')}.
        </p>
      )}
    </>
  );
}

async function findSourceless(target: string, signal: AbortSignal): Promise<readonly ReplicaLockLine[]> {
  const locks = await getPage<ReplicaLockLine>(target, analysedLocks, undefined, { signal });
  const waiting = locks.rows.filter(({ state }) => state === 'REPLICATING').slice(0, checkedFiles);
  if (waiting.length === 0) return [];
  const dids = waiting.map(({ scope, name }) => ({ scope, name }));
  const replicas = await postLines<ReplicaLine>('/replicas/list', { body: { dids, all_states: true }, signal });
  const copied = new Set(replicas.filter(hasSource).map(({ scope, name }) => `${scope}:${name}`));
  return waiting.filter(({ scope, name }) => !copied.has(`${scope}:${name}`));
}

const hasSource = ({ states }: ReplicaLine) => Object.values(states).includes('AVAILABLE');
