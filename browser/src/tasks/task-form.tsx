import { Fragment } from 'preact';
import { useRef, useState } from 'preact/hooks';

import { sendPrepared } from '../api/client.ts';
import { writeJson } from '../api/json.ts';
import { splitDid } from '../format.ts';
import { type Asked, useLateFocus } from '../late-focus.ts';
import { useAction, useDelayed } from '../load.ts';
import { Section } from '../ui/basics.tsx';
import { onSubmit } from '../ui/fields.tsx';
import { Command, curlCommand } from '../ui/same-as.tsx';
import { type TaskEntry } from './catalogue.ts';
import { TaskField } from './field.tsx';
import { NameRule } from './name-rule.tsx';
import { Refusal } from './refusal.tsx';
import { describeWho, useRights } from './rights.ts';
import type { Field, Task } from './task.ts';

type Values = Readonly<Record<string, string>>;

const typingMs = 300;
/** Stands for a password in commands. */
const hidden = 'PASSWORD';

/** The form of a task: its fields, the effect of their values, and the same in a terminal. */
export function TaskForm({ entry, task, given }: { entry: TaskEntry; task: Task; given: Values }) {
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(task.fields.map((field) => [field.name, given[field.name] ?? initialOf(field)])),
  );
  /** The values of the last attempt that succeeded. */
  const [done, setDone] = useState<Values>();
  // Requests that were accepted before a later one was refused are not sent again.
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  const { busy, error, asked, run } = useAction();
  const form = useRef<HTMLFormElement>(null);

  const fields = task.fields.filter(({ when }) => when?.(values) ?? true);
  const settled = useDelayed(values, typingMs);
  const rights = useRights(targetOf({ ...given, ...settled }));
  const right = rights?.[entry.right];
  const requests = task.requests(values);
  const isComplete = fields.every(({ required, name }) => required !== true || values[name]?.trim() !== '');

  const change = (name: string, value: string) => {
    setDone(undefined);
    setValues((before) => ({ ...before, [name]: value }));
  };
  const submit = async () => {
    setDone(undefined);
    const before = new Set(accepted);
    const succeeded = await run(async () => {
      for (const request of requests) {
        const text = writeJson(request);
        if (before.has(text)) continue;
        await sendPrepared(request);
        before.add(text);
        setAccepted([...before]);
      }
    });
    if (!succeeded) return;
    setAccepted([]);
    setDone(values);
    setValues((now) => withoutSent(now, values, task.fields));
  };
  // A form that was changed meanwhile can be sent.
  const isSent = done !== undefined && isSame(values, withoutSent(done, done, task.fields));
  const shown = task.requests(masked(task.fields, values));
  return (
    <>
      <form ref={form} class="form" onSubmit={onSubmit(submit)}>
        {fields.length > 0 && (
          <Section heading="What" hidden>
            <div class="form task-fields">
              {fields.map((field) => (
                <Fragment key={field.name}>
                  <TaskField
                    of={field}
                    value={values[field.name] ?? ''}
                    onInput={(value) => change(field.name, value)}
                  />
                  {field.names !== undefined && (
                    <NameRule kind={field.names(values)} name={settled[field.name]?.trim() ?? ''} />
                  )}
                </Fragment>
              ))}
            </div>
          </Section>
        )}
        <Section heading="What happens">
          <div role="status">
            {isComplete ? task.effect(values) : <p class="hint">Fill in the form: then this says what happens.</p>}
          </div>
          {task.Preview !== undefined && isComplete && <task.Preview values={settled} />}
        </Section>
        {error !== undefined && done === undefined && (
          <Refusal
            error={error}
            asked={asked}
            done={requests.filter((request) => accepted.includes(writeJson(request))).length}
            all={requests.length}
          />
        )}
        {done !== undefined && <Done result={task.result(done)} asked={asked} />}
        {right?.may === false ? (
          <p class="note" data-tone="waiting">
            Your account may not do this. Who may: {describeWho(right.who)}.
          </p>
        ) : (
          <div class="actions">
            <button
              type="submit"
              class={entry.isDanger === true ? 'danger' : 'primary'}
              disabled={busy || right === undefined || requests.length === 0 || isSent}
            >
              {task.button}
            </button>
          </div>
        )}
      </form>
      <details class="same-as">
        <summary>The same in a terminal</summary>
        {task.rucio(masked(task.fields, values)).map((command) => (
          <Command key={command} name="rucio" text={command} />
        ))}
        {shown.map((request) => (
          <Command
            key={writeJson(request)}
            name="curl"
            text={curlCommand({ ...request, headers: request.headers ?? {} })}
          />
        ))}
      </details>
    </>
  );
}

function Done({ result: [words, place], asked }: { result: ReturnType<Task['result']>; asked: Asked | undefined }) {
  const link = useRef<HTMLAnchorElement>(null);
  useLateFocus(link, asked);
  return (
    <div class="note" data-tone="good" role="status">
      <p>
        Done.{' '}
        <a ref={link} href={place}>
          {words}
        </a>
      </p>
    </div>
  );
}

function initialOf({ initial, choices }: Field): string {
  return initial ?? choices?.[0]?.[0] ?? '';
}

/** The values of a form without the passwords that were sent; what was typed since stays. */
function withoutSent(now: Values, sent: Values, fields: readonly Field[]): Values {
  const isSent = ({ kind, name }: Field) => kind === 'password' && now[name] === sent[name];
  return { ...now, ...Object.fromEntries(fields.filter(isSent).map(({ name }) => [name, ''])) };
}

function isSame(one: Values, other: Values): boolean {
  return Object.entries(one).every(([name, value]) => other[name] === value);
}

/** The values as commands show them. */
function masked(fields: readonly Field[], values: Values): Values {
  const passwords = fields.filter(({ kind, name }) => kind === 'password' && values[name] !== '');
  return { ...values, ...Object.fromEntries(passwords.map(({ name }) => [name, hidden])) };
}

/** The things that values name, of which rights are asked for. */
function targetOf(values: Values) {
  const nonEmpty = (name: string) => values[name]?.trim() || undefined;
  // Of several DIDs the first one stands for the others.
  const did = splitDid(values['did'] ?? values['files']?.trim() ?? '');
  return { scope: nonEmpty('scope') ?? did?.scope, account: nonEmpty('account'), rse: nonEmpty('rse') };
}
