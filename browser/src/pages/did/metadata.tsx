import { type Dispatch, type StateUpdater, useState } from 'preact/hooks';

import { getJson, path, send } from '../../api/client.ts';
import { parseExact, writeJson } from '../../api/json.ts';
import type { Did } from '../../api/types.ts';
import { readDate, shellWord } from '../../format.ts';
import { useAction, useLoad } from '../../load.ts';
import { Pending, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { emptied, onSubmit, TextField } from '../../ui/fields.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Time } from '../../ui/values.tsx';

/** The columns that describe the record, not the data. */
const recordKeys = new Set([
  'scope',
  'name',
  'account',
  'did_type',
  'is_open',
  'monotonic',
  'hidden',
  'obsolete',
  'complete',
  'is_new',
  'availability',
  'suppressed',
  'expired_at',
  'purge_replicas',
  'deleted_at',
  'accessed_at',
  'closed_at',
  'eol_at',
  'is_archive',
  'constituent',
  'access_cnt',
  'created_at',
  'updated_at',
]);

/** These follow from the content. */
const derivedKeys = new Set(['bytes', 'length', 'adler32', 'md5']);

/** The metadata of a DID, to read and to change. */
export function DidMetadata({ did: { scope, name } }: { did: Did }) {
  const target = path('/dids/**:scope_name/meta', { did: { scope, name } });
  const { value, error, reload } = useLoad(target, (signal) => getJson(target, { query: { plugin: 'ALL' }, signal }));
  const change: Change = async (key, text) => {
    if (text === undefined) await send('DELETE', target, { query: { key } });
    else
      await send('POST', path('/dids/**:scope_name/meta/:key', { did: { scope, name }, key }), {
        body: { value: readValue(text) },
      });
    reload();
  };
  if (value === undefined) return <Pending of={{ value, error, reload }} />;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return (
    <div class="columns">
      <Section heading="About the data">
        <MetadataTable
          entries={entries.filter(([key]) => !recordKeys.has(key))}
          onChange={change}
          caption="Metadata of the data"
        />
        <NewEntry onAdd={change} />
        <Pending of={{ value, error, reload }} />
        <SameAs
          rucio={`rucio did metadata list ${shellWord(`${scope}:${name}`)} --plugin ALL`}
          curl={{ path: target, query: { plugin: 'ALL' } }}
        />
      </Section>
      <Section heading="About the record">
        <MetadataTable entries={entries.filter(([key]) => recordKeys.has(key))} caption="Metadata of the record" />
      </Section>
    </div>
  );
}

/** Sets a value, or deletes it if there is no text. Throws an ApiError if it is refused. */
type Change = (key: string, text: string | undefined) => Promise<void>;

/** Numbers, truth values and lists are JSON; anything else is text. */
function readValue(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}

function MetadataTable({
  entries,
  onChange,
  caption,
}: {
  entries: readonly (readonly [string, unknown])[];
  onChange?: Change;
  caption: string;
}) {
  return (
    <table>
      <caption class="visually-hidden">{caption}</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(([key, item]) => (
          <tr key={key}>
            <th scope="row" class="name">
              {key}
            </th>
            <td>
              {onChange === undefined || derivedKeys.has(key) ? (
                <Value of={item} />
              ) : (
                <ChangeableValue of={item} name={key} onChange={onChange} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ChangeableValue({ of: item, name, onChange }: { of: unknown; name: string; onChange: Change }) {
  /** The text of its field; undefined while it is not being changed. */
  const [text, setText] = useState<string>();
  if (text !== undefined) return <ValueForm name={name} text={text} onText={setText} onChange={onChange} />;
  return (
    <span class="tree-row">
      <Value of={item} />
      <button
        type="button"
        class="quiet push small"
        aria-label={`Change ${name}`}
        onClick={() => setText(typeof item === 'string' ? item : writeJson(item))}
      >
        Change
      </button>
    </span>
  );
}

function ValueForm({
  name,
  text,
  onText,
  onChange,
}: {
  name: string;
  text: string;
  onText: Dispatch<StateUpdater<string | undefined>>;
  onChange: Change;
}) {
  const { busy, error, run } = useAction();
  const change = async (wanted: string | undefined) => {
    // A text that was typed meanwhile stays.
    if (await run(() => onChange(name, wanted))) onText((now) => (now === text ? undefined : now));
  };
  return (
    <>
      <form class="actions" onSubmit={onSubmit(() => change(text))}>
        <input
          aria-label={`Value of ${name}`}
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
        <button type="submit" disabled={busy}>
          Save
        </button>
        <button type="button" class="quiet" disabled={busy} onClick={() => void change(undefined)}>
          Delete
        </button>
        <button type="button" class="quiet" disabled={busy} onClick={() => onText(undefined)}>
          Cancel
        </button>
      </form>
      {error !== undefined && <ErrorNote error={error} />}
    </>
  );
}

function Value({ of }: { of: unknown }) {
  if (typeof of === 'string') {
    const isDate = /^\w{3}, \d\d \w{3} \d{4}/.test(of) && readDate(of) !== undefined;
    return isDate ? <Time of={of} /> : <bdi class="name">{of}</bdi>;
  }
  if (typeof of === 'boolean') return <>{of ? 'yes' : 'no'}</>;
  return <code>{writeJson(of)}</code>;
}

function NewEntry({ onAdd }: { onAdd: Change }) {
  const [key, setKey] = useState('');
  const [text, setText] = useState('');
  const { busy, error, run } = useAction();
  return (
    <>
      <form
        class="form-row"
        onSubmit={onSubmit(async () => {
          if (!(await run(() => onAdd(key.trim(), text)))) return;
          setKey(emptied(key));
          setText(emptied(text));
        })}
      >
        <TextField label="New key" required spellcheck={false} value={key} onInput={setKey} />
        <TextField label="Value" value={text} onInput={setText} />
        <button type="submit" disabled={busy}>
          Set
        </button>
      </form>
      {error !== undefined && <ErrorNote error={error} />}
    </>
  );
}
