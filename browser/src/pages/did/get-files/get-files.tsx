import { useState } from 'preact/hooks';

import type { Did } from '../../../api/types.ts';
import { counted, shellWord } from '../../../format.ts';
import { useDelayed, useLoad } from '../../../load.ts';
import { Empty, Pending, Section } from '../../../ui/basics.tsx';
import { ChoiceField } from '../../../ui/fields.tsx';
import { RseExpressionField } from '../../../ui/rse-expression.tsx';
import { Command, curlCommand } from '../../../ui/same-as.tsx';
import { readFiles, readReplicas, replicasBody, urlsOf, type Wish } from './file-list.ts';
import { SaveList } from './save-list.tsx';
import { UrlTable } from './url-table.tsx';

/** The page shows the URLs of so many files; the others are in the list. */
const shownFiles = 20;
const typingMs = 300;

const choices = [
  ['best', 'the best one'],
  ['all', 'all'],
] as const;

/** How to get the files of a DID: the command, their URLs, and lists of all of them. */
export function GetFiles({ did }: { did: Did }) {
  const isFile = did.type === 'FILE';
  const [which, setWhich] = useState<Wish['which']>(isFile ? 'all' : 'best');
  const [rses, setRses] = useState('');
  const [scheme, setScheme] = useState('');
  const wish = { which, rses: useDelayed(rses, typingMs), scheme };
  const name = `${did.scope}:${did.name}`;
  const { value, error, reload } = useLoad(`urls ${name} ${JSON.stringify(wish)}`, async (signal) => {
    const { dids, next } = await readFiles(did, shownFiles, undefined, signal);
    // Without the scheme, so that the others can still be chosen.
    const lines = await readReplicas(dids, { ...wish, scheme: '' }, signal);
    const chosen = scheme === '' ? lines : await readReplicas(dids, wish, signal);
    return { dids, lines: chosen, schemes: schemesOf(lines.flatMap(({ pfns }) => Object.keys(pfns))), next };
  });
  const schemes = new Set([...(value?.schemes ?? []), ...(scheme === '' ? [] : [scheme])]);
  return (
    <Section heading="Get the files">
      <Command name="rucio" text={downloadCommand(name, wish)} />
      <p class="hint">
        This command chooses the replicas, copies the files to a folder with the name of the scope or dataset, and
        compares their checksums.
      </p>
      <div class="form-row">
        <ChoiceField label="URLs of a file" of={choices} value={which} onChange={setWhich} />
        <RseExpressionField label="On these RSEs alone" class="name" grows value={rses} onInput={setRses} />
        <ChoiceField
          label="Scheme"
          of={[['', 'any'], ...[...schemes].map((one) => [one, one] as const)]}
          value={scheme}
          onChange={setScheme}
        />
      </div>
      {!isFile && <SaveList did={did} wish={wish} />}
      <Pending of={{ value, error, reload }} />
      {value?.dids.length === 0 && <Empty>There are no files.</Empty>}
      {value !== undefined && value.dids.length > 0 && (
        <>
          {value.next !== undefined && (
            <p class="hint">These are the first {counted(value.dids.length, 'file')}; the lists have all of them.</p>
          )}
          <UrlTable lines={value.lines.map((line) => ({ line, urls: urlsOf(line, wish) }))} scope={did.scope} />
        </>
      )}
      <details class="same-as">
        <summary>The same in a terminal</summary>
        <Command
          name="rucio"
          text={`rucio replica list file --pfns ${rses === '' ? '' : `--rses ${shellWord(rses)} `}${scheme === '' ? '' : `--protocols ${shellWord(scheme)} `}${shellWord(name)}`}
        />
        <Command
          name="curl"
          text={curlCommand({
            method: 'POST',
            path: '/replicas/list',
            body: replicasBody([{ scope: did.scope, name: did.name }], wish),
          })}
        />
        <Command
          name="curl"
          text={curlCommand({
            method: 'POST',
            path: '/replicas/list',
            headers: { Accept: 'application/metalink4+xml' },
            body: replicasBody([{ scope: did.scope, name: did.name }], wish),
          })}
        />
      </details>
    </Section>
  );
}

function downloadCommand(name: string, { rses, scheme }: Wish): string {
  const options = [
    ...(rses.trim() === '' ? [] : ['--rses', shellWord(rses.trim())]),
    ...(scheme === '' ? [] : ['--protocol', shellWord(scheme)]),
  ];
  return ['rucio download', ...options, shellWord(name)].join(' ');
}

const schemesOf = (urls: readonly string[]) => [...new Set(urls.map((url) => url.split(':')[0] ?? ''))].toSorted();
