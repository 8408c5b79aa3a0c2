import type { Rule } from '../api/types.ts';
import { shellWord } from '../format.ts';
import { placeUrl } from '../router.ts';
import { Command, curlCommand } from '../ui/same-as.tsx';

/** How to help a file that has no good replica anywhere: recover it, register another replica, or give it up. */
export function RecoveryAdvice({ rule, file: { scope, name } }: { rule: Rule; file: { scope: string; name: string } }) {
  const body = { rse: 'RSE', files: [{ scope, name, state: 'A' }] };
  const isDataset = rule.did_type === 'DATASET';
  const dataset = isDataset ? `${rule.scope}:${rule.name}` : 'scope:dataset';
  return (
    <details>
      <summary>How to recover, register or detach them</summary>
      <ul class="plain-list">
        <li>
          Recover: a <a href={placeUrl(['bad'])}>replica that was declared bad</a> and is on its storage after all is
          declared available.
          <Command name="curl" text={curlCommand({ method: 'PUT', path: '/replicas', body })} />
        </li>
        <li>
          Register: another RSE has the file. Its replica <a href="../docs/#/addReplicas">is registered</a> with the
          size and the checksum.
        </li>
        <li>
          Detach: the file is given up, and taken out of{' '}
          {isDataset ? 'the dataset' : <a href={placeUrl(['did', scope, name], { tab: 'parents' })}>its datasets</a>}.
          <Command
            name="rucio"
            text={`rucio did content remove --from-did ${shellWord(dataset)} ${shellWord(`${scope}:${name}`)}`}
          />
        </li>
      </ul>
    </details>
  );
}
