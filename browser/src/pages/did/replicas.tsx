import { useState } from 'preact/hooks';

import { getLines, getPage, path, postLines, type PageOf } from '../../api/client.ts';
import type { RowAt } from '../../api/contract.ts';
import type { Did, FileLine, ReplicaLine } from '../../api/types.ts';
import { counted, exactInteger, shellWord } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { Bar, Empty, Pending, Section } from '../../ui/basics.tsx';
import { type Column, PagedTable } from '../../ui/paged-table.tsx';
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

type RseLine = RowAt<'/replicas/**:scope_name/datasets'>;

const rseColumns: readonly Column<RseLine>[] = [
  { head: 'RSE', cell: (row) => <RseLink rse={row.rse} />, sortBy: (row) => row.rse },
  {
    head: 'Files there',
    sortBy: (row) => row.available_length,
    cell: (row) => (
      <div class="barred">
        <span class="number">
          {exactInteger(row.available_length)} of {exactInteger(row.length)}
        </span>
        <Bar
          share={Number(row.available_length) / Number(row.length)}
          tone={row.available_length === row.length ? 'good' : 'busy'}
          label={`${row.available_length} of ${row.length} files are on ${row.rse}`}
        />
      </div>
    ),
  },
  {
    head: 'Size there',
    number: true,
    wide: true,
    sortBy: (row) => row.available_bytes,
    cell: (row) => <Bytes of={row.available_bytes} />,
  },
  {
    head: 'State',
    wide: true,
    sortBy: (row) => row.state,
    cell: ({ state }) =>
      state === 'AVAILABLE' ? <State of={state} label="complete" /> : <State of="WAITING" label="incomplete" />,
  },
];

function ByRse({ did: { scope, name } }: { did: Did }) {
  const target = path('/replicas/**:scope_name/datasets', { did: { scope, name } });
  const load = async (_cursor: unknown, _limit: number, signal: AbortSignal) => ({
    rows: await getLines(target, { query: { deep: true }, signal }),
    next: undefined,
  });
  return (
    <Section heading="By RSE">
      <PagedTable
        caption="RSEs that have files of this dataset"
        listKey={target}
        load={load}
        columns={rseColumns}
        empty="No RSE has a file of this dataset."
      />
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
  const before = (cursors.length - 1) * matrixRows;
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
            {did.type !== 'FILE' &&
              `Files ${exactInteger(before + 1)} to ${exactInteger(before + value.lines.length)}, on `}
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
