import { useEffect } from 'preact/hooks';

import { path, send } from '../../api/client.ts';
import { useAction, useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Pending, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { DidLink, RseLink, RuleLink } from '../../ui/values.tsx';
import { UnservedNote } from '../requests/mover-note.tsx';
import { type CopyState, judge, readCopy, type TestCopy } from './watch-copy.ts';

const lookMs = 2_000;

/** A test copy as it goes on: what it has shown, and how to take it away again. */
export function Outcome({ of: copy }: { of: TestCopy }) {
  const { value, error, reload } = useLoad(`test ${copy.rule}`, (signal) => readCopy(copy, signal));
  const { busy, error: refused, run } = useAction();
  const verdict = value && judge(value);
  const isOver = verdict === 'removed' && value?.replica === undefined;
  useEffect(() => {
    if (isOver) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, lookMs);
    return () => clearInterval(timer);
  }, [isOver]);
  const remove = async () => {
    const target = path('/rules/:rule_id', { rule_id: copy.rule });
    if (await run(() => send('PUT', target, { body: { options: { lifetime: 0, purge_replicas: true } } }))) reload();
  };
  return (
    <Section heading="What happens">
      <Pending of={{ value, error, reload }} />
      {value !== undefined && (
        <div role="status">
          <Words of={value} copy={copy} />
        </div>
      )}
      <p class="hint">
        Rule <RuleLink id={copy.rule} />, file <DidLink {...copy.did} />.
      </p>
      {verdict !== undefined && verdict !== 'removed' && (
        <div class="actions">
          <button type="button" disabled={busy} onClick={() => void remove()}>
            Take the copy away
          </button>
        </div>
      )}
      {refused !== undefined && <ErrorNote error={refused} />}
    </Section>
  );
}

function Words({ of: state, copy: { rse } }: { of: CopyState; copy: TestCopy }) {
  switch (judge(state)) {
    case 'waits':
      return <p class="note">The copy is asked for. A mover takes it within a minute or two.</p>;
    case 'taken':
      return (
        <p class="note" data-tone="busy">
          A mover is at it: it writes the file, reads it back and compares its content.
        </p>
      );
    case 'nobody':
      return (
        <>
          <p class="note" data-tone="waiting">
            <strong>Nobody has taken the copy.</strong> So nothing was tested: this server has no mover that serves the
            RSE. Where movers are switched off, as in a deployment without the option <code>movers</code>, nothing here
            can reach the storage.
          </p>
          <UnservedNote rses={[rse]} />
        </>
      );
    case 'failed':
      return (
        <div class="note" data-tone="bad">
          <p>
            <strong>The copy has failed.</strong> This is what the mover, or the rule, says:
          </p>
          <p class="name">
            <bdi>{state.request?.err_msg ?? state.rule?.error ?? 'no reason was told'}</bdi>
          </p>
          <p class="hint">It is tried again by itself. Mend the protocol or the storage, and stay here.</p>
        </div>
      );
    case 'good':
      return (
        <p class="note" data-tone="good">
          <strong>The storage works.</strong> A mover has written the file there, read it back, and its content is the
          same. What is left to test is that it can be deleted.
        </p>
      );
    case 'removed':
      return <Deletion of={state} rse={rse} />;
  }
}

function Deletion({ of: { replica }, rse }: { of: CopyState; rse: string }) {
  if (replica === undefined)
    return (
      <p class="note" data-tone="good">
        <strong>The copy was deleted</strong> from <RseLink rse={rse} />.
      </p>
    );
  return (
    <p class="note" data-tone="waiting">
      No rule keeps the copy any more, and it <a href={placeUrl(['rse', rse], { tab: 'deletable' })}>may be deleted</a>.
      The reaper does so the next time it comes, if it is switched on for this RSE (attribute <code>reaper</code>); this
      page watches on.
    </p>
  );
}
