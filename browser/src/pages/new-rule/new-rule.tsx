import { useRef, useState } from 'preact/hooks';

import { postJson, send } from '../../api/client.ts';
import { readSettings } from '../../api/log-in.ts';
import { session } from '../../api/session.ts';
import { counted } from '../../format.ts';
import { type Asked, useLateFocus } from '../../late-focus.ts';
import { useAction, useDelayed, useLoad } from '../../load.ts';
import type { PageProps } from '../../page.ts';
import { goToFound, placeUrl } from '../../router.ts';
import { Empty, PageHead, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { onSubmit, TextField } from '../../ui/fields.tsx';
import { RseExpressionField } from '../../ui/rse-expression.tsx';
import { Command, curlCommand } from '../../ui/same-as.tsx';
import { RuleLink } from '../../ui/values.tsx';
import { How } from './how.tsx';
import { areEnough, narrowTo, useMatchingRses } from './matching-rses.ts';
import { Meaning } from './meaning.tsx';
import { findData, maxDids, readDids } from './rule-data.ts';
import { FieldError, What } from './what.tsx';
import { bodyOf, commandOf, plainWish, samplesOf, type Wish } from './wish.ts';

const typingMs = 300;

/** Rules for one or several DIDs, step by step; what they mean is shown before they are sent. */
export default function NewRulePage({ query }: PageProps) {
  const [text, setText] = useState(query.get('did') ?? '');
  const [isSeveral, setSeveral] = useState(text.trim().includes('\n'));
  const [expression, setExpression] = useState(query.get('rses') ?? '');
  /** RSEs of the expression that are ticked: then the rule names these alone. */
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [wish, setWish] = useState<Wish>({ ...plainWish, account: session()?.account ?? '' });
  /** The ids of the rules that were made, and what the form said then. */
  const [made, setMade] = useState<{ readonly ids: readonly string[]; readonly form: string }>();
  /** Samples that exist already, if a later step was refused. */
  const sampled = useRef(new Set<string>());
  const { busy, error, asked, run } = useAction();
  const { value: settings } = useLoad('settings', readSettings);
  const settled = useDelayed(text.trim(), typingMs);
  const dids = readDids(settled);
  const found = useLoad(`dids ${settled}`, async (signal) => (dids === undefined ? undefined : findData(dids, signal)));
  const matching = useMatchingRses(expression);
  // No error for the field being edited.
  const [typed, setTyped] = useState<'did' | 'expression'>();
  const data = found.value?.data;
  const isReady =
    data !== undefined &&
    (dids?.length ?? 0) <= maxDids &&
    settled === text.trim() &&
    matching.isCurrent &&
    matching.value !== undefined &&
    areEnough(narrowTo(matching.value, picked), Number(wish.copies));
  const change = (part: Partial<Wish>) => setWish((before) => ({ ...before, ...part }));
  const samples = samplesOf(wish, dids ?? []);
  const targets =
    samples.length === 0
      ? (dids ?? [{ scope: '', name: '' }])
      : samples.map(({ output_scope: scope, output_name: name }) => ({ scope, name }));
  const chosen = picked.length === 0 ? expression : picked.join('|');
  const body = bodyOf(wish, targets, chosen);
  const form = JSON.stringify([text.trim(), wish, chosen]);
  const present = useRef(form);
  present.current = form;
  const create = () => {
    setMade(undefined);
    return run(() =>
      goToFound(async () => {
        for (const sample of samples) {
          const key = JSON.stringify(sample);
          if (sampled.current.has(key)) continue;
          await send('POST', '/dids/sample', { body: sample });
          sampled.current.add(key);
        }
        const ids = await postJson('/rules', { body });
        // The same form does not make them again.
        setMade({ ids, form });
        const [first = ''] = ids;
        // A reader who fills in the form for another rule meanwhile stays.
        return ids.length === 1 && present.current === form ? placeUrl(['rule', first]) : undefined;
      }),
    );
  };
  return (
    <>
      <PageHead title="New rule" lead="Say what, where and for how long. Nothing happens before you press Create." />
      <form class="form" onSubmit={onSubmit(create)}>
        <What
          text={text}
          isSeveral={isSeveral}
          isTyping={typed === 'did'}
          isMalformed={settled !== '' && dids === undefined}
          found={found.value}
          error={found.error}
          onText={(next) => {
            setTyped('did');
            setMade(undefined);
            setText(next);
          }}
          onSeveral={(several) => {
            setSeveral(several);
            if (!several) setText(text.trim().split('\n')[0] ?? '');
          }}
          onBlur={() => setTyped(undefined)}
        />
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
                setPicked([]);
              }}
            />
            <TextField
              label="Copies"
              type="number"
              min="1"
              required
              value={wish.copies}
              onInput={(copies) => change({ copies })}
            />
          </div>
          {expression.trim() === '' && (
            <Empty>Write the name of an RSE, or attributes such as tier=1&country=CH.</Empty>
          )}
          <FieldError error={matching.error} isQuiet={typed === 'expression'} />
          {matching.value !== undefined && (
            // Which files a sample gets is not known before it is made.
            <Meaning
              listed={matching.value}
              picked={picked}
              onPick={setPicked}
              copies={Number(wish.copies)}
              did={samples.length === 0 ? data : undefined}
              account={wish.account}
            />
          )}
        </Section>
        <How wish={wish} activities={settings?.policy.activities ?? []} onChange={change} />
        {error !== undefined && <ErrorNote error={error} />}
        {made !== undefined && <Made of={made.ids} asked={asked} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={!isReady || busy || made?.form === form}>
            {targets.length > 1 ? `Create ${counted(targets.length, 'rule')}` : 'Create the rule'}
          </button>
        </div>
      </form>
      <details class="same-as">
        <summary>The same in a terminal</summary>
        {samples.map((sample) => (
          <Command
            key={sample.output_name}
            name="curl"
            text={curlCommand({ method: 'POST', path: '/dids/sample', body: sample })}
          />
        ))}
        <Command name="rucio" text={commandOf(wish, dids === undefined ? [] : targets, chosen)} />
        <Command name="curl" text={curlCommand({ method: 'POST', path: '/rules', body })} />
      </details>
    </>
  );
}

/** The rules that were made; takes the focus of a reader who has waited for them. */
function Made({ of: ids, asked }: { of: readonly string[]; asked: Asked | undefined }) {
  const note = useRef<HTMLDivElement>(null);
  useLateFocus(note, asked);
  return (
    <div ref={note} class="note" data-tone="good" role="status" tabIndex={-1}>
      <p>{counted(ids.length, 'rule')} made:</p>
      <ul class="chips">
        {ids.map((id) => (
          <li key={id}>
            <RuleLink id={id} />
          </li>
        ))}
      </ul>
    </div>
  );
}
