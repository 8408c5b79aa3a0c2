import { useState } from 'preact/hooks';

import { getLines, getPage, path, postLines, type PageOf } from '../../api/client.ts';
import type { Did, FileLine, ReplicaLine } from '../../api/types.ts';
import { counted, shellWord } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { Bar, Empty, Pending, Section } from '../../ui/basics.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Bytes, DidLink, RseLink, State } from '../../ui/values.tsx';

/** Where the files of a DID are: by RSE, then file by file. */
export function DidReplicas({ did }: { did: Did }) {
  return (
    <>
      {did.type === 'DATASET' && <ByRse did={did} />}
      <Matrix key={`${did.scope}:${did.name}`} did={did} />
    </>
  );
}

function ByRse({ did: { scope, name } }: { did: Did }) {
  const target = path('/replicas/**:scope_name/datasets', { did: { scope, name } });
  const { value, error, reload } = useLoad(target, (signal) => getLines(target, { query: { deep: true }, signal }));
  return (
    <Section heading="By RSE">
      <Pending of={{ value, error, reload }} />
      {value?.length === 0 && <Empty>No RSE has a file of this dataset.</Empty>}
      {value !== undefined && value.length > 0 && (
        <div class="table-frame">
          <table>
            <caption class="visually-hidden">RSEs that have files of this dataset</caption>
            <thead>
              <tr>
                <th scope="col">RSE</th>
                <th scope="col">Files there</th>
                <th scope="col" class="number wide">
                  Size there
                </th>
                <th scope="col" class="wide">
                  State
                </th>
              </tr>
            </thead>
            <tbody>
              {value.map((row) => (
                <tr key={row.rse}>
                  <td>
                    <RseLink rse={row.rse} />
                  </td>
                  <td>
                    <div class="barred">
                      <span class="number">
                        {String(row.available_length)} of {String(row.length)}
                      </span>
                      <Bar
                        share={Number(row.available_length) / Number(row.length)}
                        tone={row.available_length === row.length ? 'good' : 'busy'}
                        label={`${row.available_length} of ${row.length} files are on ${row.rse}`}
                      />
                    </div>
                  </td>
                  <td class="number wide">
                    <Bytes of={row.available_bytes} />
                  </td>
                  <td class="wide">
                    <State of={row.state} label={row.state === 'AVAILABLE' ? 'complete' : 'incomplete'} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <SameAs
        rucio={`rucio replica list dataset ${shellWord(`${scope}:${name}`)}`}
        curl={{ path: target, query: { deep: true } }}
      />
    </Section>
  );
}

const matrixRows = 50;

/** Files and RSEs, a page of files at a time: the replicas of a large dataset are never read at once. */
function Matrix({ did }: { did: Did }) {
  const { scope, name } = did;
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  const target = path('/dids/**:scope_name/files', { did: { scope, name } });
  const { value, error, reload } = useLoad(`${target} ${cursors.length}`, async (signal) => {
    const page: PageOf<Pick<FileLine, 'scope' | 'name'>> =
      did.type === 'FILE'
        ? { rows: [{ scope, name }], next: undefined }
        : await getPage(target, matrixRows, cursors.at(-1), { signal });
    const dids = page.rows.map((file) => ({ scope: file.scope, name: file.name }));
    const body = { dids, all_states: true };
    const lines = dids.length === 0 ? [] : await postLines('/replicas/list', { body, signal });
    return { lines, next: page.next };
  });
  const rses = [...new Set(value?.lines.flatMap(({ states }) => Object.keys(states)) ?? [])].toSorted();
  return (
    <Section
      heading={did.type === 'FILE' ? 'Replicas' : 'File by file'}
      aside={
        <div class="actions">
          {cursors.length > 1 && (
            <button type="button" class="quiet" onClick={() => setCursors(cursors.slice(0, -1))}>
              ‹ Earlier files
            </button>
          )}
          {value?.next !== undefined && (
            <button type="button" class="quiet" onClick={() => setCursors([...cursors, value.next])}>
              Next files ›
            </button>
          )}
        </div>
      }
    >
      <Pending of={{ value, error, reload }} />
      {value?.lines.length === 0 && <Empty>There are no files.</Empty>}
      {value !== undefined && value.lines.length > 0 && (
        <>
          <p class="hint">
            {counted(value.lines.length, 'file')} from number {(cursors.length - 1) * matrixRows + 1} on,{' '}
            {counted(rses.length, 'RSE')}
          </p>
          <div class="table-frame" tabIndex={0} role="group" aria-label="Files and RSEs">
            <table>
              <caption class="visually-hidden">The state of each file on each RSE</caption>
              <thead>
                <tr>
                  <th scope="col">File</th>
                  <th scope="col" class="number wide">
                    Size
                  </th>
                  {rses.map((rse) => (
                    <th key={rse} scope="col">
                      <RseLink rse={rse} />
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {value.lines.map((line) => (
                  <FileRow key={`${line.scope}:${line.name}`} of={line} rses={rses} did={did} />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <SameAs
        rucio={`rucio replica list file --all-states ${shellWord(`${scope}:${name}`)}`}
        curl={{ method: 'POST', path: '/replicas/list', body: { dids: [{ scope, name }], all_states: true } }}
      />
    </Section>
  );
}

function FileRow({ of: line, rses, did }: { of: ReplicaLine; rses: readonly string[]; did: Did }) {
  return (
    <tr>
      <td>
        <DidLink scope={line.scope} name={line.name} withScope={line.scope !== did.scope} />
      </td>
      <td class="number wide">
        <Bytes of={line.bytes} />
      </td>
      {rses.map((rse) => {
        const state = line.states[rse];
        return <td key={rse}>{state === undefined ? <span class="absent">–</span> : <State of={state} />}</td>;
      })}
    </tr>
  );
}
