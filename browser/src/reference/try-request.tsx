import { useEffect, useRef, useState } from 'preact/hooks';

import { parseJson, writeJson } from '../api/json.ts';
import { session } from '../api/session.ts';
import { Command, curlCommand } from '../ui/same-as.tsx';
import type { Operation, Parameter } from './document.ts';
import { exampleOf, initialValue } from './example.ts';
import { type Received, sendAndRead, type Sent } from './send-and-read.ts';

/** A form that sends the operation, with the token of the page. */
export function TryRequest({ operation }: { operation: Operation }) {
  const { method, parameters, body } = operation;
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(parameters.map((parameter) => [parameter.name, initialValue(parameter)])),
  );
  const [text, setText] = useState(() => (body === undefined ? '' : writeJson(exampleOf(body.schema), 2)));
  const [received, setReceived] = useState<Received>();
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const answer = useRef<HTMLDivElement>(null);
  const state = received?.state;
  useEffect(() => {
    if (state !== undefined) answer.current?.scrollIntoView({ block: 'nearest' });
  }, [state]);

  const request = buildRequest(operation, values, text);
  const send = async (event: Event) => {
    event.preventDefault();
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    setReceived({ state: 'sent', text: '' });
    await sendAndRead(request, abort.signal, setReceived);
  };
  const busy = received?.state === 'sent' || received?.state === 'reading';
  const fieldsOf = (shown: readonly Parameter[]) =>
    shown.map((parameter) => (
      <ParameterField
        key={parameter.name}
        of={parameter}
        value={values[parameter.name] ?? ''}
        onChange={(value) => setValues((before) => ({ ...before, [parameter.name]: value }))}
      />
    ));
  const optional = parameters.filter(({ required }) => required !== true);
  return (
    <form class="form" onSubmit={(event) => void send(event)}>
      {fieldsOf(parameters.filter(({ required }) => required === true))}
      {body !== undefined && (
        <label class="field">
          <span>Body</span>
          <textarea
            class="name"
            rows={Math.min(18, text.split('\n').length + 1)}
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
      )}
      {method !== 'GET' && <p class="hint">This is sent to this catalogue, and takes effect there.</p>}
      <div class="actions">
        <button type="submit" class="primary">
          Send
        </button>
        {busy && (
          <button type="button" onClick={() => running.current?.abort()}>
            Stop
          </button>
        )}
      </div>
      <Command name="curl" text={curlOf(request)} />
      {optional.length > 0 && (
        <details class="optional">
          <summary>Optional fields ({optional.length})</summary>
          {fieldsOf(optional)}
        </details>
      )}
      <div ref={answer} class="answer-place">
        {received !== undefined && <ReceivedAnswer of={received} />}
      </div>
    </form>
  );
}

function ParameterField({
  of: { name, in: place, required, style },
  value,
  onChange,
}: {
  of: Parameter;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <label class="field">
      <span>
        <span class="name">{style === 'form' ? 'any other keys' : name}</span>{' '}
        <span class="hint">
          in the {place}
          {required === true && ', required'}
        </span>
      </span>
      <input
        class="name"
        value={value}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="none"
        required={place === 'path'}
        placeholder={style === 'form' ? 'run_number=358031&campaign=beam26' : ''}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

/** The request that the form describes. */
function buildRequest(
  { method, path, parameters, body }: Operation,
  values: Readonly<Record<string, string>>,
  text: string,
): Sent {
  const given = (place: Parameter['in']) =>
    parameters.filter((parameter) => parameter.in === place && (values[parameter.name] ?? '') !== '');
  const target = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams();
  for (const { name, style } of given('query')) {
    if (style === 'form') for (const [key, value] of new URLSearchParams(values[name])) query.append(key, value);
    else query.append(name, values[name] ?? '');
  }
  const headers = Object.fromEntries(given('header').map(({ name }) => [name, values[name] ?? '']));
  const pathAndQuery = query.size === 0 ? target : `${target}?${query}`;
  return { method, target: pathAndQuery, headers, body: body === undefined || text.trim() === '' ? undefined : text };
}

function curlOf({ method, target, headers, body }: Sent): string {
  return curlCommand({ method, path: target, headers, ...(body === undefined ? {} : { body: readBody(body) }) });
}

/** The body as a value; a text that is not JSON stays a text. */
function readBody(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function ReceivedAnswer({ of: received }: { of: Received }) {
  const { status, statusText = '', milliseconds, headers = [], text, state } = received;
  const tone = status === undefined ? 'waiting' : status < 400 ? 'good' : 'bad';
  return (
    <section class="answer" aria-label="Answer">
      <p class="note" data-tone={tone} role="status">
        {status === undefined
          ? state === 'failed'
            ? text
            : 'Sent, no answer yet'
          : `${status} ${statusText}, after ${milliseconds} ms${state === 'reading' ? ', still arriving' : ''}`}
        {status === 401 && session() === undefined && '. Log in first.'}
      </p>
      {headers.length > 0 && (
        <details>
          <summary>Headers</summary>
          <pre>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
        </details>
      )}
      {status !== undefined && (
        // It scrolls, so the keyboard has to get there.
        <pre class="answer-body" tabIndex={0} role="group" aria-label="Body of the answer">
          {text === '' ? '(The body is empty.)' : text}
        </pre>
      )}
    </section>
  );
}
