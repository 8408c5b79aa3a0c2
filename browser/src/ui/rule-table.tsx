import type { Integer } from '../api/json.ts';
import type { Rule } from '../api/types.ts';
import { exactInteger, readDate } from '../format.ts';
import { Parts } from './basics.tsx';
import type { Column } from './paged-table.tsx';
import { AccountLink, Bytes, DidLink, RuleLink, State, Time } from './values.tsx';

/** The locks of a rule. */
interface LockCounts {
  readonly locks_ok_cnt: Integer;
  readonly locks_replicating_cnt: Integer;
  readonly locks_stuck_cnt: Integer;
}

/** How many locks of a rule are in which state, as a bar and in words. */
export function LockProgress({ of: counts, isShort = false }: { of: LockCounts; isShort?: boolean }) {
  const ok = Number(counts.locks_ok_cnt);
  const replicating = Number(counts.locks_replicating_cnt);
  const stuck = Number(counts.locks_stuck_cnt);
  const words = `${exactInteger(ok)} of ${exactInteger(ok + replicating + stuck)} files there${stuck > 0 ? `, ${exactInteger(stuck)} stuck` : ''}`;
  return (
    <div class={isShort ? 'barred beside' : 'barred'}>
      <span class="number">{isShort ? `${exactInteger(ok)} of ${exactInteger(ok + replicating + stuck)}` : words}</span>
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

function Ends({ of: rule }: { of: Rule }) {
  if (rule.expires_at === null) return <span class="absent">never</span>;
  const end = <Time of={rule.expires_at} relative />;
  return endsSoon(rule) ? <strong>ends {end}</strong> : end;
}

/** The states of rules, those first that need somebody. */
const urgency: readonly Rule['state'][] = ['STUCK', 'WAITING_APPROVAL', 'SUSPENDED', 'REPLICATING', 'INJECT', 'OK'];

const time = (text: string | null) => readDate(text)?.getTime();

const state: Column<Rule> = {
  head: 'State',
  tight: true,
  sortBy: (rule) => urgency.indexOf(rule.state),
  cell: (rule) => <State of={rule.state} />,
};
const id: Column<Rule> = { head: 'Rule', tight: true, cell: (rule) => <RuleLink id={rule.id} /> };
const did: Column<Rule> = {
  head: 'DID',
  fill: true,
  lead: true,
  sortBy: (rule) => `${rule.scope}:${rule.name}`,
  cell: (rule) => <DidLink scope={rule.scope} name={rule.name} />,
};
const expression: Column<Rule> = {
  head: 'Copies and RSEs',
  tight: true,
  sortBy: (rule) => rule.rse_expression,
  cell: (rule) => (
    <span class="cut" title={rule.rse_expression}>
      {rule.copies} × <bdi class="name">{rule.rse_expression}</bdi>
    </span>
  ),
};
const locks: Column<Rule> = {
  head: 'Progress',
  tight: true,
  sortBy: (rule) =>
    rule.locks_ok_cnt / Math.max(rule.locks_ok_cnt + rule.locks_replicating_cnt + rule.locks_stuck_cnt, 1),
  cell: (rule) => <LockProgress of={rule} isShort />,
};
const size: Column<Rule> = {
  head: 'Size',
  number: true,
  sortBy: (rule) => rule.bytes,
  cell: (rule) => <Bytes of={rule.bytes} />,
};
const account: Column<Rule> = {
  head: 'Account',
  tight: true,
  roomy: true,
  sortBy: (rule) => rule.account,
  cell: (rule) => <AccountLink account={rule.account} />,
};
const created: Column<Rule> = {
  head: 'Created',
  tight: true,
  roomy: true,
  sortBy: (rule) => time(rule.created_at),
  cell: (rule) => <Time of={rule.created_at} relative />,
};
const ends: Column<Rule> = {
  head: 'Ends',
  tight: true,
  sortBy: (rule) => time(rule.expires_at),
  cell: (rule) => <Ends of={rule} />,
};

/** The columns of rules of different DIDs. */
export const ruleColumns: readonly Column<Rule>[] = [state, id, did, expression, locks, size, created, ends, account];
/** The columns of the rules of one DID. */
export const didRuleColumns: readonly Column<Rule>[] = [state, id, expression, locks, created, ends, account];
/** The order of rules that shows first what needs somebody. */
export const mostUrgent = { head: state.head, isDown: false } as const;
