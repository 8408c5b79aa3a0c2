import { useEffect, useState } from 'preact/hooks';

import { getJson, getPage, type PageOf, path } from '../../api/client.ts';
import type { Target } from '../../api/contract.ts';
import { followEvents } from '../../api/events.ts';
import type { ReplicaLockLine, Rule } from '../../api/types.ts';
import { fromNow, readDate } from '../../format.ts';
import type { Asked } from '../../late-focus.ts';
import { useLoad } from '../../load.ts';
import { noteRule } from '../../own-rules.ts';
import type { PageProps } from '../../page.ts';
import { Facts, PageHead, Pending, Section } from '../../ui/basics.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { LockProgress } from '../../ui/rule-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { AccountLink, Bytes, DidLink, RseLink, State, Time } from '../../ui/values.tsx';
import { RuleActions } from './actions.tsx';
import { RuleEnding, isLeaving } from './ending.tsx';
import { RepairResult } from './repair.tsx';
import { WhyNot } from './why.tsx';

/** One rule: how far it is, why it is not further, and what can be done. */
export default function RulePage({ parts: [id = ''] }: PageProps) {
  const target = path('/rules/:rule_id', { rule_id: id });
  const { value: rule, error, reload } = useLoad(target, (signal) => getJson(target, { signal }));
  const [repair, setRepair] = useState<{ readonly before: Rule; readonly at: number }>();
  const [deleted, setDeleted] = useState<Asked>();
  const isOver = rule !== undefined && isLeaving(rule);
  const subject = rule === undefined ? undefined : `${rule.scope}:${rule.name}`;
  useEffect(() => {
    if (rule !== undefined) noteRule(rule);
  }, [rule?.state]);
  // The page follows the rule as its files arrive.
  useEffect(() => {
    if (subject === undefined) return undefined;
    const query = { type: 'UPDATE_RULE', subject } as const;
    return followEvents(query, {
      onBegin: reload,
      onEvents: (events) => events.some(({ data }) => data['rule_id'] === id) && reload(),
    });
  }, [subject, id]);
  return (
    <>
      <PageHead
        title={`Rule ${id.slice(0, 8)}`}
        heading={
          <>
            Rule <span class="name">{id.slice(0, 8)}</span> {isOver && <State of="WAITING" label={describeEnd(rule)} />}
            {rule !== undefined && !isOver && <State of={rule.state} />}
          </>
        }
        lead={rule !== undefined && <Lead of={rule} />}
      />
      <Pending of={{ value: rule, error, reload }} />
      {rule !== undefined && (
        <>
          <RuleEnding rule={rule} deleted={deleted} />
          {repair !== undefined && !isOver && (
            <RepairResult key={repair.at} before={repair.before} rule={rule} onLook={reload} />
          )}
          {!isOver && <WhyNot rule={rule} />}
          <div class="columns">
            <Section heading="Progress">
              <LockProgress of={rule} />
              <Facts of={factsOf(rule)} />
              {rule.comments !== null && (
                <p>
                  <bdi>“{rule.comments}”</bdi>
                </p>
              )}
            </Section>
            <RuleActions
              rule={rule}
              isOver={isOver}
              onChange={reload}
              onDelete={setDeleted}
              onRepair={() => setRepair({ before: rule, at: Date.now() })}
            />
          </div>
          <Locks id={id} state={rule.state} />
          <SameAs label="This rule" rucio={`rucio rule show --examine ${id}`} curl={{ path: target }} />
        </>
      )}
    </>
  );
}

/** When a rule ends that ends soon, as the lists of rules say it. */
function describeEnd({ expires_at: end }: Rule): string {
  return `ends ${fromNow(readDate(end) ?? new Date())}`;
}

function Lead({ of: rule }: { of: Rule }) {
  return (
    <>
      {rule.copies} {rule.copies === 1 ? 'copy' : 'copies'} of <DidLink scope={rule.scope} name={rule.name} /> on{' '}
      <bdi class="name">{rule.rse_expression}</bdi>
    </>
  );
}

function factsOf(rule: Rule) {
  return [
    ['Size of the DID', <Bytes of={rule.bytes} />],
    ['Account', <AccountLink account={rule.account} />],
    ['Ends', rule.expires_at === null ? 'never' : <Time of={rule.expires_at} relative />],
    ['Created', <Time of={rule.created_at} />],
    ['Priority', rule.priority],
    ['Grouping', rule.grouping.toLowerCase()],
    ['Activity', rule.activity],
    ...(rule.stuck_at === null ? [] : [['Stuck since', <Time of={rule.stuck_at} relative />] as const]),
  ] as const;
}

function Locks({ id, state }: { id: string; state: string }) {
  const target = path('/rules/:rule_id/locks', { rule_id: id });
  return (
    <Section heading="Files">
      <PagedTable
        caption="The files of the rule, and where it keeps them"
        listKey={`${target} ${state}`}
        load={(cursor, limit, signal) => getLocks(target, { cursor, limit, signal })}
        columns={[
          { head: 'State', cell: (lock) => <State of={lock.state} /> },
          { head: 'File', cell: (lock) => <DidLink scope={lock.scope} name={lock.name} />, lead: true },
          { head: 'RSE', cell: (lock) => <RseLink rse={lock.rse} /> },
        ]}
        empty="The rule keeps no file yet."
      />
    </Section>
  );
}

/** In this order, locks in other states after them. */
const urgentStates = ['STUCK', 'REPLICATING'];

/** A page of the locks of a rule, by file. If there is only one page, what is missing comes first. */
async function getLocks(
  target: Target<'/rules/:rule_id/locks'>,
  { cursor, limit, signal }: { cursor: string | undefined; limit: number; signal: AbortSignal },
): Promise<PageOf<ReplicaLockLine>> {
  const page = await getPage(target, limit, cursor, { signal });
  if (cursor !== undefined || page.next !== undefined) return page;
  const others = page.rows.filter(({ state }) => !urgentStates.includes(state));
  const urgent = urgentStates.flatMap((wanted) => page.rows.filter(({ state }) => state === wanted));
  return { rows: [...urgent, ...others], next: undefined };
}
