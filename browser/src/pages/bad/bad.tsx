import { useState } from 'preact/hooks';

import { getLines, getPage, pickRows, send, type ApiError } from '../../api/client.ts';
import type { RowAt } from '../../api/contract.ts';
import type { BadStateLine } from '../../api/types.ts';
import { splitDid } from '../../format.ts';
import { toApiError, useLoad } from '../../load.ts';
import type { PageProps } from '../../page.ts';
import { go, placeUrl } from '../../router.ts';
import { Empty, ErrorNote, Loading, PageHead, Section } from '../../ui/basics.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { DidLink, RseLink, State, Time } from '../../ui/values.tsx';

const letters = [
  ['', 'Any'],
  ['B', 'Bad'],
  ['S', 'Suspicious'],
  ['T', 'Unavailable for a time'],
  ['D', 'Deleted'],
  ['L', 'Lost'],
  ['R', 'Recovered'],
] as const;

const isLine = (row: RowAt<'/replicas/bad/states'>): row is BadStateLine => typeof row === 'object';

/** Replicas that were declared bad or suspicious, and the form to declare one. */
export default function BadPage({ query }: PageProps) {
  const [turn, setTurn] = useState(0);
  const state = query.get('state') ?? '';
  const rse = query.get('rse') ?? '';
  const show = (change: Record<string, string>) => go(placeUrl(['bad'], { state, rse, ...change }), { replace: true });
  const filters = { state, rse };
  return (
    <>
      <PageHead
        title="Bad replicas"
        lead="Replicas that somebody has declared bad, suspicious or unavailable. Rules that keep a bad one ask for another copy."
      />
      <form class="form-row" onSubmit={(event) => event.preventDefault()}>
        <label class="field">
          <span>State</span>
          <select value={state} onChange={({ currentTarget }) => show({ state: currentTarget.value })}>
            {letters.map(([letter, label]) => (
              <option key={letter} value={letter}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>RSE</span>
          <input
            class="name"
            placeholder="any"
            value={rse}
            spellcheck={false}
            onChange={({ currentTarget }) => show({ rse: currentTarget.value.trim() })}
          />
        </label>
      </form>
      <Section heading="Declared">
        <PagedTable
          caption="Declared replicas, the oldest first"
          listKey={`${JSON.stringify(filters)} ${turn}`}
          load={async (cursor, limit, signal) =>
            pickRows(await getPage('/replicas/bad/states', limit, cursor, { query: filters, signal }), isLine)
          }
          columns={[
            { head: 'State', cell: (row) => <State of={row.state} /> },
            { head: 'File', cell: (row) => <DidLink scope={row.scope} name={row.name} />, lead: true },
            { head: 'RSE', cell: (row) => <RseLink rse={row.rse} /> },
            { head: 'Since', cell: (row) => <Time of={row.created_at} relative />, wide: true },
          ]}
          empty="None."
        />
        <SameAs
          rucio="rucio replica state list suspicious"
          curl={{ path: '/replicas/bad/states', query: { ...filters, limit: 100 } }}
        />
      </Section>
      <Suspicious key={turn} />
      <Declare onDone={() => setTurn(turn + 1)} />
    </>
  );
}

function Suspicious() {
  const { value, error, reload } = useLoad('suspicious', (signal) => getLines('/replicas/suspicious', { signal }));
  return (
    <Section heading="Suspicious, and not declared bad since">
      {error !== undefined && <ErrorNote error={error} retry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value?.length === 0 && <Empty>None.</Empty>}
      {value !== undefined && value.length > 0 && (
        <div class="table-frame">
          <table>
            <caption class="visually-hidden">Suspicious replicas</caption>
            <thead>
              <tr>
                <th scope="col">File</th>
                <th scope="col">RSE</th>
                <th scope="col" class="number">
                  Times
                </th>
              </tr>
            </thead>
            <tbody>
              {value.slice(0, 200).map((row) => (
                <tr key={`${row.scope}:${row.name} ${row.rse}`}>
                  <td>
                    <DidLink scope={row.scope} name={row.name} />
                  </td>
                  <td>
                    <RseLink rse={row.rse} />
                  </td>
                  <td class="number">{row.cnt}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

function Declare({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState('');
  const [rse, setRse] = useState('');
  const [reason, setReason] = useState('');
  const [error, setError] = useState<ApiError>();
  const [said, setSaid] = useState('');
  const declare = async (event: Event) => {
    event.preventDefault();
    setError(undefined);
    setSaid('');
    const dids = text.split(/\s+/).flatMap((word) => splitDid(word) ?? []);
    try {
      await send('POST', '/replicas/bad/dids', { body: { dids, rse: rse.trim(), reason } });
      setSaid(`${dids.length} declared.`);
      setText('');
      onDone();
    } catch (failure) {
      setError(toApiError(failure));
    }
  };
  return (
    <Section heading="Declare replicas bad">
      <form class="form" onSubmit={(event) => void declare(event)}>
        <label class="field">
          <span>Files, one on each line</span>
          <textarea
            class="name"
            rows={3}
            required
            spellcheck={false}
            placeholder="scope:name"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <div class="form-row">
          <label class="field">
            <span>On the RSE</span>
            <input
              class="name"
              required
              value={rse}
              spellcheck={false}
              onInput={({ currentTarget }) => setRse(currentTarget.value)}
            />
          </label>
          <label class="field">
            <span>Reason</span>
            <input required value={reason} onInput={({ currentTarget }) => setReason(currentTarget.value)} />
          </label>
          <button type="submit" class="danger">
            Declare bad
          </button>
        </div>
      </form>
      {error !== undefined && <ErrorNote error={error} />}
      <p role="status" class="hint">
        {said}
      </p>
    </Section>
  );
}
