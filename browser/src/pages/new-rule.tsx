import { useState } from 'preact/hooks';

import { getJson, path, send, type ApiError } from '../api/client.ts';
import { parseJson } from '../api/json.ts';
import { session } from '../api/session.ts';
import type { Did } from '../api/types.ts';
import { shellWord, splitDid } from '../format.ts';
import { toApiError, useDelayed, useLoad } from '../load.ts';
import type { PageProps } from '../page.ts';
import { go, placeUrl } from '../router.ts';
import { ErrorNote, PageHead, Section } from '../ui/basics.tsx';
import { RseExpressionField } from '../ui/rse-expression.tsx';
import { Command, curlCommand } from '../ui/same-as.tsx';
import { Bytes, Count, DidLink, TypeMark } from '../ui/values.tsx';
import { Meaning } from './new-rule-meaning.tsx';

const typingMs = 300;
const daySeconds = 86_400;

/** A rule, step by step; what it means is shown before it is sent. */
export default function NewRulePage({ query }: PageProps) {
  const [text, setText] = useState(query.get('did') ?? '');
  const [expression, setExpression] = useState(query.get('rses') ?? '');
  const [copies, setCopies] = useState('1');
  const [days, setDays] = useState('');
  const [grouping, setGrouping] = useState('DATASET');
  const [comment, setComment] = useState('');
  const [approval, setApproval] = useState(false);
  const [account, setAccount] = useState(session()?.account ?? '');
  const [error, setError] = useState<ApiError>();
  const settled = useDelayed(text.trim(), typingMs);
  const did = splitDid(settled);
  const found = useLoad(`did ${settled}`, async (signal) =>
    did === undefined ? undefined : getJson<Did>(path`/dids/${did.scope}/${did.name}`, { signal }),
  );
  const body = {
    dids: [did ?? { scope: '', name: '' }],
    account,
    copies: Number(copies),
    rse_expression: expression.trim(),
    grouping,
    lifetime: days === '' ? null : Math.round(Number(days) * daySeconds),
    comment: comment === '' ? null : comment,
    ask_approval: approval,
  };
  const create = async (event: Event) => {
    event.preventDefault();
    setError(undefined);
    try {
      const [id = ''] = parseJson(await (await send('POST', '/rules/', { body })).text()) as string[];
      go(placeUrl(['rule', id]));
    } catch (failure) {
      setError(toApiError(failure));
    }
  };
  return (
    <>
      <PageHead title="New rule" lead="Say what, where and for how long. Nothing happens before you press Create." />
      <form class="form" onSubmit={(event) => void create(event)}>
        <Section heading="1. What">
          <label class="field">
            <span>DID</span>
            <input
              class="large"
              required
              spellcheck={false}
              placeholder="scope:name"
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
          {settled !== '' && did === undefined && <p class="hint">Write scope, colon, name.</p>}
          {found.error !== undefined && <ErrorNote error={found.error} />}
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
              onInput={setExpression}
            />
            <label class="field">
              <span>Copies</span>
              <input
                type="number"
                min="1"
                required
                value={copies}
                onInput={({ currentTarget }) => setCopies(currentTarget.value)}
              />
            </label>
          </div>
          <Meaning expression={expression} copies={Number(copies)} did={found.value} account={account} />
        </Section>
        <Section heading="3. How">
          <div class="form-row">
            <label class="field">
              <span>Days until it ends</span>
              <input
                type="number"
                min="0"
                step="any"
                placeholder="never"
                value={days}
                onInput={({ currentTarget }) => setDays(currentTarget.value)}
              />
            </label>
            <label class="field">
              <span>Files that stay together</span>
              <select value={grouping} onChange={({ currentTarget }) => setGrouping(currentTarget.value)}>
                <option value="DATASET">those of a dataset</option>
                <option value="ALL">all</option>
                <option value="NONE">none</option>
              </select>
            </label>
            <label class="field">
              <span>Account</span>
              <input
                value={account}
                spellcheck={false}
                onInput={({ currentTarget }) => setAccount(currentTarget.value)}
              />
            </label>
          </div>
          <label class="field">
            <span>Comment</span>
            <input value={comment} onInput={({ currentTarget }) => setComment(currentTarget.value)} />
          </label>
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
          <button type="submit" class="primary" disabled={found.value === undefined}>
            Create the rule
          </button>
        </div>
      </form>
      <details class="same-as">
        <summary>The same in a terminal</summary>
        <Command
          name="rucio"
          text={`rucio rule add ${shellWord(settled || 'scope:name')} --copies ${copies} --rses ${shellWord(expression || 'expression')}`}
        />
        <Command name="curl" text={curlCommand({ method: 'POST', path: '/rules/', body })} />
      </details>
    </>
  );
}
