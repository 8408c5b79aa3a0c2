import { useState } from 'preact/hooks';

import { getPage, pickRows, send } from '../../api/client.ts';
import type { RowAt } from '../../api/contract.ts';
import type { BadStateLine } from '../../api/types.ts';
import { splitDid } from '../../format.ts';
import { useAction } from '../../load.ts';
import type { PageProps } from '../../page.ts';
import { go, placeUrl } from '../../router.ts';
import { TaskLinks } from '../../tasks/task-links.tsx';
import { PageHead, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { ChoiceField, emptied, onSubmit, TextField } from '../../ui/fields.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { DidLink, RseLink, State, Time } from '../../ui/values.tsx';
import { Suspicious } from './suspicious.tsx';

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
  const times = query.get('times') ?? '';
  const since = /^\d{4}-\d\d-\d\d$/.exec(query.get('since') ?? '')?.[0] ?? '';
  const show = (change: Record<string, string>) =>
    go(placeUrl(['bad'], { state, rse, times, since, ...change }), { replace: true });
  const filters = { state, rse };
  const readAgain = () => setTurn((before) => before + 1);
  return (
    <>
      <PageHead
        title="Bad replicas"
        lead="Replicas that somebody has declared bad, suspicious or unavailable. Rules that keep a bad one ask for another copy."
      />
      <TaskLinks
        of={[
          'declare-bad',
          'declare-unavailable',
          'recover-replicas',
          'add-replicas',
          'delete-replicas',
          'repair-rules',
        ]}
        given={{ rse }}
      />
      <form class="form-row" onSubmit={(event) => event.preventDefault()}>
        <ChoiceField label="State" of={letters} value={state} onChange={(next) => show({ state: next })} />
        <TextField
          label="RSE"
          class="name"
          placeholder="any"
          value={rse}
          spellcheck={false}
          onChange={(text) => show({ rse: text })}
        />
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
      <Suspicious
        turn={turn}
        filters={{ rse, times, since }}
        onFilter={(change) => show({ ...change })}
        onDeclared={readAgain}
      />
      <Declare onDone={readAgain} />
    </>
  );
}

function Declare({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState('');
  const [rse, setRse] = useState('');
  const [reason, setReason] = useState('');
  const [said, setSaid] = useState('');
  const { error, run } = useAction();
  const declare = async () => {
    setSaid('');
    const dids = text.split(/\s+/).flatMap((word) => splitDid(word) ?? []);
    if (!(await run(() => send('POST', '/replicas/bad/dids', { body: { dids, rse: rse.trim(), reason } })))) return;
    setSaid(`${dids.length} declared.`);
    setText(emptied(text));
    onDone();
  };
  return (
    <Section heading="Declare replicas bad">
      <form class="form" onSubmit={onSubmit(declare)}>
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
          <TextField label="On the RSE" class="name" required value={rse} spellcheck={false} onInput={setRse} />
          <TextField label="Reason" required value={reason} onInput={setReason} />
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
