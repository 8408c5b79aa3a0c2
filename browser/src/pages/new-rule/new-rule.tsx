import { useState } from 'preact/hooks';

import { getJson, path, postJson, type ApiError } from '../../api/client.ts';
import { readSettings } from '../../api/log-in.ts';
import { session } from '../../api/session.ts';
import { shellWord, splitDid } from '../../format.ts';
import { useAction, useDelayed, useLoad } from '../../load.ts';
import type { PageProps } from '../../page.ts';
import { go, placeUrl } from '../../router.ts';
import { Empty, PageHead, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { ChoiceField, onSubmit, TextField } from '../../ui/fields.tsx';
import { RseExpressionField } from '../../ui/rse-expression.tsx';
import { Command, curlCommand } from '../../ui/same-as.tsx';
import { Bytes, Count, DidLink, TypeMark } from '../../ui/values.tsx';
import { areEnough, useMatchingRses } from './matching-rses.ts';
import { Meaning } from './meaning.tsx';

const typingMs = 300;
const daySeconds = 86_400;

/** Files that may be asked to stay together, and the effect on the choice of RSEs. */
const groupings = [
  ['DATASET', 'those of a dataset', 'The files of a dataset go to the same RSEs. Another dataset may go to others.'],
  ['ALL', 'all', 'All files go to the same RSEs.'],
  ['NONE', 'none', 'RSEs are chosen for each file, so a dataset may be spread over all that the expression means.'],
] as const;

/** A rule, step by step; what it means is shown before it is sent. */
export default function NewRulePage({ query }: PageProps) {
  const [text, setText] = useState(query.get('did') ?? '');
  const [expression, setExpression] = useState(query.get('rses') ?? '');
  const [copies, setCopies] = useState('1');
  const [days, setDays] = useState('');
  const [grouping, setGrouping] = useState<(typeof groupings)[number][0]>('DATASET');
  const [activity, setActivity] = useState('');
  const [comment, setComment] = useState('');
  const [approval, setApproval] = useState(false);
  const [account, setAccount] = useState(session()?.account ?? '');
  const { error, run } = useAction();
  const { value: settings } = useLoad('settings', readSettings);
  const settled = useDelayed(text.trim(), typingMs);
  const did = splitDid(settled);
  const found = useLoad(`did ${settled}`, async (signal) =>
    did === undefined ? undefined : getJson(path('/dids/**:scope_name', { did }), { signal }),
  );
  const matching = useMatchingRses(expression);
  // No error for the field being edited.
  const [typed, setTyped] = useState<'did' | 'expression'>();
  const isReady =
    found.value !== undefined &&
    settled === text.trim() &&
    matching.isCurrent &&
    matching.value !== undefined &&
    areEnough(matching.value, Number(copies));
  const body = {
    dids: [did ?? { scope: '', name: '' }],
    account,
    copies: Number(copies),
    rse_expression: expression.trim(),
    grouping,
    lifetime: days === '' ? null : Math.round(Number(days) * daySeconds),
    ...(activity === '' ? {} : { activity }),
    comment: comment === '' ? null : comment,
    ask_approval: approval,
  };
  const create = () =>
    run(async () => {
      const [id = ''] = await postJson('/rules', { body });
      go(placeUrl(['rule', id]));
    });
  return (
    <>
      <PageHead title="New rule" lead="Say what, where and for how long. Nothing happens before you press Create." />
      <form class="form" onSubmit={onSubmit(create)}>
        <Section heading="1. What">
          <label class="field">
            <span>DID</span>
            <input
              class="large"
              required
              spellcheck={false}
              placeholder="scope:name"
              value={text}
              onBlur={() => setTyped(undefined)}
              onInput={({ currentTarget }) => {
                setTyped('did');
                setText(currentTarget.value);
              }}
            />
          </label>
          {settled !== '' && did === undefined && <p class="hint">Write scope, colon, name.</p>}
          <FieldError error={found.error} isQuiet={typed === 'did'} />
          {found.value !== undefined && (
            <p role="status">
              <TypeMark of={found.value.type} /> <DidLink scope={found.value.scope} name={found.value.name} />,{' '}
              <Count of={found.value.length} noun="file" />, <Bytes of={found.value.bytes} />
            </p>
          )}
        </Section>
        <Section heading="2. Where">
          <div class="form-row">
            <RseExpressionField
              label="RSE expression"
              class="name"
              grows
              required
              value={expression}
              onBlur={() => setTyped(undefined)}
              onInput={(next) => {
                setTyped('expression');
                setExpression(next);
              }}
            />
            <TextField label="Copies" type="number" min="1" required value={copies} onInput={setCopies} />
          </div>
          {expression.trim() === '' && (
            <Empty>Write the name of an RSE, or attributes such as tier=1&country=CH.</Empty>
          )}
          <FieldError error={matching.error} isQuiet={typed === 'expression'} />
          {matching.value !== undefined && (
            <Meaning matching={matching.value} copies={Number(copies)} did={found.value} account={account} />
          )}
        </Section>
        <Section heading="3. How">
          <div class="form-row">
            <TextField
              label="Days until it ends"
              type="number"
              min="0"
              step="any"
              placeholder="never"
              value={days}
              onInput={setDays}
            />
            <ChoiceField
              label="Files that stay together"
              aria-describedby="grouping"
              of={groupings}
              value={grouping}
              onChange={setGrouping}
            />
            <TextField label="Account" value={account} spellcheck={false} onInput={setAccount} />
            {settings !== undefined && (
              <ChoiceField
                label="Activity"
                of={[['', 'the usual one'], ...settings.policy.activities.map((name) => [name, name] as const)]}
                value={activity}
                onChange={setActivity}
              />
            )}
          </div>
          <p class="hint" id="grouping">
            {groupings.find(([id]) => id === grouping)?.[2]}
          </p>
          <TextField label="Comment" value={comment} onInput={setComment} />
          <label class="check">
            <input
              type="checkbox"
              checked={approval}
              onChange={({ currentTarget }) => setApproval(currentTarget.checked)}
            />
            Ask for approval: nothing is copied until somebody approves
          </label>
        </Section>
        {error !== undefined && <ErrorNote error={error} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={!isReady}>
            Create the rule
          </button>
        </div>
      </form>
      <details class="same-as">
        <summary>The same in a terminal</summary>
        <Command
          name="rucio"
          text={`rucio rule add ${shellWord(settled || 'scope:name')} --copies ${copies} --rses ${shellWord(expression || 'expression')}${activity === '' ? '' : ` --activity ${shellWord(activity)}`}`}
        />
        <Command name="curl" text={curlCommand({ method: 'POST', path: '/rules', body })} />
      </details>
    </>
  );
}

/** The error of a field; only a hint while the reader is typing. */
function FieldError({ error, isQuiet }: { error: ApiError | undefined; isQuiet: boolean }) {
  if (error === undefined) return null;
  return isQuiet ? <p class="hint">{error.message}</p> : <ErrorNote error={error} />;
}
