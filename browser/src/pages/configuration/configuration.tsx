import { useState } from 'preact/hooks';

import { getJson, path, send } from '../../api/client.ts';
import { useAction, useLoad } from '../../load.ts';
import { Confirm, Empty, PageHead, Pending, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { onSubmit, TextField } from '../../ui/fields.tsx';
import { SameAs } from '../../ui/same-as.tsx';

/** The options of the catalogue. */
export default function ConfigurationPage() {
  const { value, error, reload } = useLoad('config', (signal) => getJson('/config', { signal }));
  const { error: failed, run } = useAction();
  const act = async (request: () => Promise<unknown>) => {
    if (await run(request)) reload();
  };
  return (
    <>
      <PageHead title="Configuration" lead="Options that administrators set, by section." />
      <Pending of={{ value, error, reload }} />
      {failed !== undefined && <ErrorNote error={failed} />}

      {value !== undefined && Object.keys(value).length === 0 && (
        <Empty>No option is set: all have their defaults.</Empty>
      )}
      {Object.entries(value ?? {}).map(([section, options]) => (
        <Section key={section} heading={<bdi class="name">{section}</bdi>}>
          <table>
            <caption class="visually-hidden">Options of {section}</caption>
            <thead class="visually-hidden">
              <tr>
                <th scope="col">Option</th>
                <th scope="col">Value</th>
                <th scope="col">Delete</th>
              </tr>
            </thead>
            <tbody>
              {Object.entries(options).map(([option, item]) => (
                <tr key={option}>
                  <th scope="row" class="name">
                    <bdi>{option}</bdi>
                  </th>
                  <td>
                    <bdi class="name">{String(item)}</bdi>
                  </td>
                  <td class="number">
                    <Confirm
                      label={`Delete ${option}`}
                      question={<p>The option has its default again.</p>}
                      confirm="Delete"
                      act={() => act(() => send('DELETE', path('/config/:section/:option', { section, option })))}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      ))}
      <SetOption
        onSet={(section, option, text) =>
          act(() => send('POST', '/config', { body: { [section]: { [option]: text } } }))
        }
      />
      <SameAs rucio="rucio config list" curl={{ path: '/config' }} />
    </>
  );
}

function SetOption({ onSet }: { onSet: (section: string, option: string, value: string) => Promise<void> }) {
  const [section, setSection] = useState('');
  const [option, setOption] = useState('');
  const [text, setText] = useState('');
  return (
    <Section heading="Set an option">
      <form class="form-row" onSubmit={onSubmit(() => onSet(section.trim(), option.trim(), text))}>
        <TextField label="Section" required spellcheck={false} value={section} onInput={setSection} />
        <TextField label="Option" required spellcheck={false} value={option} onInput={setOption} />
        <TextField label="Value" required value={text} onInput={setText} />
        <button type="submit">Set</button>
      </form>
    </Section>
  );
}
