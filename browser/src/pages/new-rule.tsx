import { useState } from 'preact/hooks';

import { getJson, getPage, path, send, type ApiError } from '../api/client.ts';
import { parseJson } from '../api/json.ts';
import { session } from '../api/session.ts';
import type { Did } from '../api/types.ts';
import { counted, humanBytes, shellWord, splitDid } from '../format.ts';
import { toApiError, useDelayed, useLoad } from '../load.ts';
import type { PageProps } from '../page.ts';
import { go, placeUrl } from '../router.ts';
import { Bar, Empty, ErrorNote, PageHead, Section } from '../ui/basics.tsx';
import { Command, curlCommand } from '../ui/same-as.tsx';
import { Bytes, Count, DidLink, RseLink, TypeMark } from '../ui/values.tsx';
import { useQuota } from './quota.ts';

const typingMs = 300;
const daySeconds = 86_400;
const shownRses = 50;

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
            <label class="field grow">
              <span>RSE expression</span>
              <input
                class="name"
                required
                spellcheck={false}
                placeholder="tier=1&rse_type=DISK"
                value={expression}
                onInput={({ currentTarget }) => setExpression(currentTarget.value)}
              />
            </label>
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

/** What an expression means now: its RSEs, and the quota of the account on each of them. */
function Meaning({
  expression,
  copies,
  did,
  account,
}: {
  expression: string;
  copies: number;
  did: Did | undefined;
  account: string;
}) {
  const settled = useDelayed(expression.trim(), typingMs);
  const { value, error } = useLoad(`rses ${settled}`, async (signal) =>
    settled === ''
      ? undefined
      : getPage<{ rse: string }>('/rses/', shownRses, undefined, { query: { expression: settled }, signal }),
  );
  const quota = useQuota(account);
  if (settled === '') return <Empty>Write the name of an RSE, or attributes such as tier=1&country=CH.</Empty>;
  if (error !== undefined) return <ErrorNote error={error} />;
  if (value === undefined) return null;
  const bytes = Number(did?.bytes ?? 0);
  return (
    <div role="status">
      <p>
        It means{' '}
        <strong>{value.next === undefined ? counted(value.rows.length, 'RSE') : `more than ${shownRses} RSEs`}</strong>{' '}
        now
        {did !== undefined && (
          <>
            ; {counted(copies, 'copy')} {copies === 1 ? 'needs' : 'need'} up to <Bytes of={bytes * copies} />
          </>
        )}
        .{value.rows.length < copies && ' That is fewer than the copies that you want.'}
      </p>
      <div class="table-frame">
        <table>
          <caption class="visually-hidden">The RSEs of the expression</caption>
          <thead>
            <tr>
              <th scope="col">RSE</th>
              <th scope="col">Quota of {account}</th>
            </tr>
          </thead>
          <tbody>
            {value.rows.map(({ rse }) => {
              const row = quota?.get(rse);
              return (
                <tr key={rse}>
                  <td>
                    <RseLink rse={rse} />
                  </td>
                  <td>
                    {row === undefined ? (
                      <span class="absent">no quota</span>
                    ) : row.limit === Infinity ? (
                      'unlimited'
                    ) : (
                      <div class="barred">
                        <span>
                          {humanBytes(row.limit - row.used)} left of {humanBytes(row.limit)}
                          {row.limit - row.used < bytes && ', too little'}
                        </span>
                        <Bar
                          share={row.used / row.limit}
                          tone={row.limit - row.used < bytes ? 'bad' : 'plain'}
                          label={`${humanBytes(row.used)} of ${humanBytes(row.limit)} used`}
                        />
                      </div>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}
