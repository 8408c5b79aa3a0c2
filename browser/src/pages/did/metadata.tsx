import { useState } from 'preact/hooks';

import { getJson, path, send } from '../../api/client.ts';
import { parseExact, writeJson } from '../../api/json.ts';
import type { Did } from '../../api/types.ts';
import { readDate, shellWord } from '../../format.ts';
import { useAction, useLoad } from '../../load.ts';
import { Pending, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { onSubmit, TextField } from '../../ui/fields.tsx';
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
  const { error: failed, run } = useAction();
  const change = async (key: string, text: string | undefined) => {
    const request = () =>
      text === undefined
        ? send('DELETE', target, { query: { key } })
        : send('POST', path('/dids/**:scope_name/meta/:key', { did: { scope, name }, key }), {
            body: { value: readValue(text) },
          });
    const isDone = await run(request);
    if (isDone) reload();
    return isDone;
  };
  if (error !== undefined || value === undefined) return <Pending of={{ value, error, reload }} />;
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
        {failed !== undefined && <ErrorNote error={failed} />}
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
  onChange?: (key: string, text: string | undefined) => Promise<boolean>;
  caption: string;
}) {
  const [edited, setEdited] = useState<{ key: string; text: string }>();
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
              {edited?.key === key && onChange !== undefined ? (
                <form
                  class="actions"
                  onSubmit={onSubmit(async () => {
                    if (await onChange(key, edited.text)) setEdited((now) => (now === edited ? undefined : now));
                  })}
                >
                  <input
                    aria-label={`Value of ${key}`}
                    value={edited.text}
                    onInput={({ currentTarget }) => setEdited({ key, text: currentTarget.value })}
                  />
                  <button type="submit">Save</button>
                  <button
                    type="button"
                    class="quiet"
                    onClick={() => {
                      setEdited(undefined);
                      void onChange(key, undefined);
                    }}
                  >
                    Delete
                  </button>
                  <button type="button" class="quiet" onClick={() => setEdited(undefined)}>
                    Cancel
                  </button>
                </form>
              ) : (
                <span class="tree-row">
                  <Value of={item} />
                  {onChange !== undefined && !derivedKeys.has(key) && (
                    <button
                      type="button"
                      class="quiet push small"
                      aria-label={`Change ${key}`}
                      onClick={() => setEdited({ key, text: typeof item === 'string' ? item : writeJson(item) })}
                    >
                      Change
                    </button>
                  )}
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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

function NewEntry({ onAdd }: { onAdd: (key: string, text: string) => Promise<boolean> }) {
  const [key, setKey] = useState('');
  const [text, setText] = useState('');
  return (
    <form
      class="form-row"
      onSubmit={onSubmit(async () => {
        if (!(await onAdd(key.trim(), text))) return;
        setKey((now) => (now === key ? '' : now));
        setText((now) => (now === text ? '' : now));
      })}
    >
      <TextField label="New key" required spellcheck={false} value={key} onInput={setKey} />
      <TextField label="Value" value={text} onInput={setText} />
      <button type="submit">Set</button>
    </form>
  );
}
