import { useState } from 'preact/hooks';

import { path, send } from '../../api/client.ts';
import type { BodyAt } from '../../api/contract.ts';
import type { Rule } from '../../api/types.ts';
import { type Asked, noteAsked } from '../../late-focus.ts';
import { useAction } from '../../load.ts';
import { DecideRule } from '../../tasks/decide-rule.tsx';
import { describeWho, useRights } from '../../tasks/rights.ts';
import { TaskLinks } from '../../tasks/task-links.tsx';
import { Confirm, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { onSubmit, TextField } from '../../ui/fields.tsx';

const daySeconds = 86_400;

/** Forms and buttons that change a rule. */
export function RuleActions({
  rule,
  isOver,
  onChange,
  onDelete,
  onRepair,
}: {
  rule: Rule;
  /** The rule ends soon: only its end can be changed. */
  isOver: boolean;
  onChange: () => void;
  /** The rule has been deleted: it ends within an hour. `asked`: when the reader asked for it. */
  onDelete: (asked: Asked) => void;
  /** A repair of the rule has been asked for. */
  onRepair: () => void;
}) {
  const { error, run } = useAction();
  const [done, setDone] = useState('');
  const [days, setDays] = useState('');
  const [priority, setPriority] = useState(String(rule.priority));
  const target = path('/rules/:rule_id', { rule_id: rule.id });

  const act = async (said: string, request: () => Promise<unknown>) => {
    setDone('');
    if (!(await run(request))) return;
    setDone(said);
    onChange();
  };
  const change = (said: string, options: BodyAt<'PUT', typeof target>['options']) =>
    act(said, () => send('PUT', target, { body: { options } }));
  // Without `state`, which would declare the copies stuck that are under way.
  const repair = async () => {
    await send('PUT', target, { body: { options: { boost_rule: true } } });
    onRepair();
  };
  const remove = async () => {
    const asked = noteAsked();
    await send('DELETE', target);
    onDelete(asked);
  };

  const rights = useRights({ account: rule.account });
  if (rights === undefined) return null;
  if (!rights.update_rule.may && !rights.approve_rule.may)
    return (
      <Section heading="What you can do">
        <p class="hint">Nothing: this rule may be changed by {describeWho(rights.update_rule.who)}.</p>
      </Section>
    );
  return (
    <Section heading="What you can do">
      {!isOver && rule.state === 'WAITING_APPROVAL' && !rights.approve_rule.may && (
        <p class="hint">It waits for approval by {describeWho(rights.approve_rule.who)}.</p>
      )}
      {!isOver && rule.state === 'WAITING_APPROVAL' && rights.approve_rule.may && (
        <DecideRule
          id={rule.id}
          onDone={(said) => {
            setDone(said);
            onChange();
          }}
        />
      )}
      <form
        class="form-row"
        onSubmit={onSubmit(() => change(`It ends in ${days} days.`, { lifetime: Number(days) * daySeconds }))}
      >
        <TextField
          label="Days until it ends"
          type="number"
          min="0"
          step="any"
          required
          placeholder="30"
          value={days}
          onInput={setDays}
        />
        <button type="submit">Set the end</button>
        <button
          type="button"
          disabled={rule.expires_at === null}
          onClick={() => void change('It never ends now.', { lifetime: null })}
        >
          Never end
        </button>
      </form>
      {!isOver && (
        <>
          <form
            class="form-row"
            onSubmit={onSubmit(() => change(`Priority ${priority}.`, { priority: Number(priority) }))}
          >
            <TextField label="Priority, 1 to 5" type="number" min="1" max="5" value={priority} onInput={setPriority} />
            <button type="submit">Set the priority</button>
          </form>
          <div class="actions">
            {rule.state === 'STUCK' && (
              <button type="button" onClick={() => void act('', repair)}>
                Repair now
              </button>
            )}
            <Confirm
              label="Delete the rule"
              question={
                <p>
                  The rule ends within an hour, and no longer protects its files. Files that no other rule keeps may
                  then be deleted from their RSEs.
                </p>
              }
              confirm="Delete"
              act={() => act('', remove)}
            />
          </div>
        </>
      )}
      {!isOver && (
        <TaskLinks of={['move-rule', 'reduce-rule', 'change-rule']} given={{ rule: rule.id, account: rule.account }} />
      )}
      {error !== undefined && <ErrorNote error={error} />}
      <p role="status" class="hint">
        {done}
      </p>
    </Section>
  );
}
