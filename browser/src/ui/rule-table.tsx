import type { Integer } from '../api/json.ts';
import type { Rule } from '../api/types.ts';
import { exactInteger, readDate } from '../format.ts';
import { Parts } from './basics.tsx';
import type { Column } from './paged-table.tsx';
import { AccountLink, DidLink, RuleLink, State, Time } from './values.tsx';

/** The locks of a rule. */
interface LockCounts {
  readonly locks_ok_cnt: Integer;
  readonly locks_replicating_cnt: Integer;
  readonly locks_stuck_cnt: Integer;
}

/** How many locks of a rule are in which state, as a bar and in words. */
export function LockProgress({ of: counts }: { of: LockCounts }) {
  const ok = Number(counts.locks_ok_cnt);
  const replicating = Number(counts.locks_replicating_cnt);
  const stuck = Number(counts.locks_stuck_cnt);
  const words = `${exactInteger(ok)} of ${exactInteger(ok + replicating + stuck)} files there${stuck > 0 ? `, ${exactInteger(stuck)} stuck` : ''}`;
  return (
    <div class="barred">
      <span class="number">{words}</span>
      <Parts
        of={[
          ['good', ok],
          ['bad', stuck],
        ]}
        total={ok + replicating + stuck}
        label={words}
      />
    </div>
  );
}

/** A rule that was deleted ends within an hour, and so may any other one. */
const soonMs = 3_660_000;

/** Whether a rule ends within the hour: it was deleted, or its lifetime is over then. */
export function endsSoon({ expires_at: end }: Rule): boolean {
  return (readDate(end)?.getTime() ?? Infinity) < Date.now() + soonMs;
}

const state: Column<Rule> = {
  head: 'State',
  cell: (rule) => (
    <>
      <State of={rule.state} />
      {endsSoon(rule) && (
        <div class="hint">
          ends <Time of={rule.expires_at} relative />
        </div>
      )}
    </>
  ),
};
const id: Column<Rule> = { head: 'Rule', cell: (rule) => <RuleLink id={rule.id} /> };
const did: Column<Rule> = { head: 'DID', cell: (rule) => <DidLink scope={rule.scope} name={rule.name} />, lead: true };
const expression: Column<Rule> = {
  head: 'Copies and RSEs',
  cell: (rule) => (
    <>
      {rule.copies} × <bdi class="name">{rule.rse_expression}</bdi>
    </>
  ),
};
const locks: Column<Rule> = { head: 'Progress', cell: (rule) => <LockProgress of={rule} />, lead: true };
const account: Column<Rule> = {
  head: 'Account',
  cell: (rule) => <AccountLink account={rule.account} />,
  wide: true,
};
const ends: Column<Rule> = {
  head: 'Ends',
  cell: (rule) => (rule.expires_at === null ? 'never' : <Time of={rule.expires_at} relative />),
  wide: true,
};

/** The columns of rules of different DIDs. */
export const ruleColumns: readonly Column<Rule>[] = [state, id, did, expression, locks, account];
/** The columns of the rules of one DID. */
export const didRuleColumns: readonly Column<Rule>[] = [state, id, expression, locks, account, ends];
