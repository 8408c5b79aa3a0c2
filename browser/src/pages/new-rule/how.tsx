import { counted } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { listOwnScopes } from '../../tasks/field.tsx';
import { Section } from '../../ui/basics.tsx';
import { ChoiceField, TextField } from '../../ui/fields.tsx';
import { groupings, notifications, type Wish } from './wish.ts';

const dayMs = 86_400_000;

/** A day of the reader's zone as a field for dates has it. */
function dayOf(time: number): string {
  const date = new Date(time);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** The options of a new rule. */
export function How({
  wish,
  activities,
  onChange,
}: {
  wish: Wish;
  activities: readonly string[];
  onChange: (change: Partial<Wish>) => void;
}) {
  return (
    <Section heading="3. How">
      <div class="form-row">
        <TextField
          label="Days until it ends"
          type="number"
          min="0"
          step="any"
          placeholder="never"
          value={wish.days}
          onInput={(days) => onChange({ days, day: '' })}
        />
        <TextField
          label="Or its last day"
          type="date"
          min={dayOf(Date.now() + dayMs)}
          value={wish.day}
          onInput={(day) => onChange({ day, days: '' })}
        />
        <ChoiceField
          label="Files that stay together"
          aria-describedby="grouping"
          of={groupings}
          value={wish.grouping}
          onChange={(grouping) => onChange({ grouping })}
        />
        <TextField
          label="Account"
          value={wish.account}
          spellcheck={false}
          onInput={(account) => onChange({ account })}
        />
        {activities.length > 0 && (
          <ChoiceField
            label="Activity"
            of={[['', 'the usual one'], ...activities.map((name) => [name, name] as const)]}
            value={wish.activity}
            onChange={(activity) => onChange({ activity })}
          />
        )}
      </div>
      <p class="hint" id="grouping">
        {groupings.find(([id]) => id === wish.grouping)?.[2]}
      </p>
      <TextField label="Comment" value={wish.comment} onInput={(comment) => onChange({ comment })} />
      <Check of={wish.approval} onChange={(approval) => onChange({ approval })}>
        Ask for approval: nothing is copied until somebody approves
      </Check>
      <details>
        <summary>More options</summary>
        <div class="form">
          <Check of={wish.asynchronous} onChange={(asynchronous) => onChange({ asynchronous })}>
            Place it in the background: for large data. What is wrong with it then shows on its page
          </Check>
          <ChoiceField
            label="Notifications"
            hint="They are events of the catalogue; whoever listens passes them on."
            of={notifications}
            value={wish.notify}
            onChange={(notify) => onChange({ notify })}
          />
          <SampleFields wish={wish} onChange={onChange} />
        </div>
      </details>
    </Section>
  );
}

function SampleFields({ wish, onChange }: { wish: Wish; onChange: (change: Partial<Wish>) => void }) {
  const { value: scopes = [] } = useLoad('own scopes of samples', (signal) => listOwnScopes(signal));
  return (
    <>
      <div class="form-row">
        <TextField
          label="Only a sample of so many files"
          type="number"
          min="1"
          step="1"
          placeholder="all files"
          value={wish.sample}
          onInput={(sample) => onChange({ sample, sampleScope: wish.sampleScope || (scopes[0] ?? '') })}
        />
        {wish.sample !== '' && (
          <>
            <TextField
              label="Scope of the sample"
              required
              list="sample-scopes"
              spellcheck={false}
              value={wish.sampleScope}
              onInput={(sampleScope) => onChange({ sampleScope })}
            />
            <TextField
              label="Its name ends with"
              required
              spellcheck={false}
              value={wish.sampleEnding}
              onInput={(sampleEnding) => onChange({ sampleEnding })}
            />
          </>
        )}
      </div>
      <datalist id="sample-scopes">
        {scopes.map((scope) => (
          <option key={scope} value={scope} />
        ))}
      </datalist>
      {wish.sample !== '' && (
        <p class="hint">
          A dataset with {counted(Number(wish.sample), 'file')} chosen at random is made of each DID, and the rule is
          for that.
        </p>
      )}
    </>
  );
}

function Check({ of, onChange, children }: { of: boolean; onChange: (is: boolean) => void; children: string }) {
  return (
    <label class="check">
      <input type="checkbox" checked={of} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {children}
    </label>
  );
}
