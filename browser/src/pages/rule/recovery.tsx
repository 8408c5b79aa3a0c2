import { useState } from 'preact/hooks';

import { postLines } from '../../api/client.ts';
import type { Rule } from '../../api/types.ts';
import { shellWord } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { taskUrl } from '../../tasks/task-links.tsx';
import { Command, curlCommand, TokenHint } from '../../ui/same-as.tsx';

/** A file of a rule that has no good replica. */
interface LostFile {
  readonly scope: string;
  readonly name: string;
  /** The RSE that the last failed attempt has read from. */
  readonly last_source?: string | null;
}

/** How to help files that have no good replica anywhere: recover them, register other replicas, or give them up. */
export function RecoveryAdvice({ rule, files }: { rule: Rule; files: readonly LostFile[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>How to recover, register or detach them</summary>
      {isOpen && <Ways rule={rule} files={files} />}
    </details>
  );
}

function Ways({ rule, files }: { rule: Rule; files: readonly LostFile[] }) {
  const isDataset = rule.did_type === 'DATASET';
  const dataset = isDataset ? `${rule.scope}:${rule.name}` : 'scope:dataset';
  const dids = files.map((file) => shellWord(nameOf(file)));
  const names = [...new Set(files.map(nameOf))].join('\n');
  return (
    <ul class="plain-list">
      <li>
        Recover: a <a href={placeUrl(['bad'])}>replica that was declared bad</a> and is on its storage after all is
        declared available.
        <RecoverCommands files={files} />
      </li>
      <li>
        Register: another RSE has the file. Its replica is registered with the size and the checksum.{' '}
        <a class="button" href={taskUrl('add-replicas', { files: names })}>
          Register files
        </a>
      </li>
      <li>
        Detach: the file is given up, and taken out of{' '}
        {isDataset ? 'the dataset' : 'its datasets, which are its parents on its page'}.{' '}
        <a class="button" href={taskUrl('detach', { ...(isDataset ? { did: dataset } : {}), members: names })}>
          Detach {files.length === 1 ? 'it' : 'them'}
        </a>
        <Command
          name="rucio"
          text={`rucio did content remove --from-did ${shellWord(dataset)} ${[...new Set(dids)].join(' ')}`}
        />
      </li>
    </ul>
  );
}

/** Stands for an RSE that is not known. */
const anyRse = 'RSE';

/** A command for each RSE that has damaged replicas. */
function RecoverCommands({ files }: { files: readonly LostFile[] }) {
  const key = `damaged ${files.map(({ scope, name }) => `${scope}:${name}`).join(' ')}`;
  const { value: damaged, error } = useLoad(key, (signal) => findDamaged(files, signal));
  if (damaged === undefined && error === undefined) return null;
  const byRse = Map.groupBy(
    new Map(files.map((file) => [nameOf(file), file])).values(),
    (file) => damaged?.get(nameOf(file)) ?? file.last_source ?? anyRse,
  );
  return (
    <>
      {[...byRse].map(([rse, recovered]) => {
        const body = { rse, files: recovered.map(({ scope, name }) => ({ scope, name, state: 'A' })) };
        const given = { ...(rse === anyRse ? {} : { rse }), files: recovered.map(nameOf).join('\n') };
        return (
          <div key={rse}>
            <a class="button" href={taskUrl('recover-replicas', given)}>
              Declare {recovered.length === 1 ? 'it' : 'them'} available
            </a>
            <Command name="curl" text={curlCommand({ method: 'PUT', path: '/replicas', body })} />
          </div>
        );
      })}
      {byRse.has(anyRse) && (
        <p class="hint">
          Write the name of the RSE that has the file in place of <code>{anyRse}</code>.
        </p>
      )}
      <TokenHint />
    </>
  );
}

/** The RSE that has a bad replica of each file, if one has. */
async function findDamaged(files: readonly LostFile[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const dids = files.map(({ scope, name }) => ({ scope, name }));
  const replicas = await postLines('/replicas/list', { body: { dids, all_states: true }, signal });
  return new Map(
    replicas.flatMap((replica) => {
      const [rse] = Object.entries(replica.states).find(([, state]) => state === 'BAD') ?? [];
      return rse === undefined ? [] : [[nameOf(replica), rse] as const];
    }),
  );
}

const nameOf = ({ scope, name }: { scope: string; name: string }) => `${scope}:${name}`;
