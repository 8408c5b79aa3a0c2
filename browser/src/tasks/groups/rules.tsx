import { getJson, path, prepare } from '../../api/client.ts';
import { counted, shellWord } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Pending } from '../../ui/basics.tsx';
import { DidLink, RuleLink, State } from '../../ui/values.tsx';
import { type Field, task, type Tasks } from '../task.ts';
import { linesOf, secondsOf } from '../texts.ts';

const rule = { name: 'rule', label: 'Rule', required: true, placeholder: 'its id' } as const satisfies Field;

const target = (id: string) => path('/rules/:rule_id', { rule_id: id.trim() });
const show = (id: string) => ['Show the rule', placeUrl(['rule', id.trim()])] as const;

const yesOrNo = [
  ['', 'as it is'],
  ['yes', 'yes'],
  ['no', 'no'],
] as const;

const rules: Tasks = {
  'move-rule': task({
    about: 'The copies of a rule move to other RSEs: new ones first, then the present ones go.',
    button: 'Move the rule',
    fields: [
      rule,
      { name: 'expression', label: 'To the RSEs', kind: 'rses', required: true },
      { name: 'activity', label: 'Activity', hint: 'Empty: as it is.' },
    ],
    effect: ({ expression }) => (
      <p>
        A new rule for <bdi class="name">{expression}</bdi> is made, with the options of the present one. As soon as all
        of its copies are there the present rule is deleted. Until then both need quota.
      </p>
    ),
    Preview: ({ values }) => <NamedRules ids={[values.rule]} />,
    requests: ({ rule: id, expression, activity }) => [
      prepare('POST', path('/rules/:rule_id/move', { rule_id: id.trim() }), {
        rse_expression: expression.trim(),
        ...(activity === '' ? {} : { activity }),
      }),
    ],
    rucio: ({ rule: id, expression, activity }) => [
      `rucio rule move ${shellWord(id)} --rses ${shellWord(expression)}${activity === '' ? '' : ` --activity ${shellWord(activity)}`}`,
    ],
    result: ({ rule: id }) => show(id),
  }),
  'reduce-rule': task({
    about: 'A rule with fewer copies takes the place of the present one.',
    button: 'Reduce the rule',
    fields: [
      rule,
      { name: 'copies', label: 'Copies', kind: 'number', min: '1', required: true, initial: '1' },
      { name: 'exclude', label: 'Leave out the RSEs', kind: 'rses', hint: 'Empty: any may go.' },
    ],
    effect: ({ copies }) => (
      <p>
        {counted(Number(copies), 'copy')} of each file stay. The others are no longer kept, and may be deleted if no
        other rule keeps them.
      </p>
    ),
    Preview: ({ values }) => <NamedRules ids={[values.rule]} />,
    requests: ({ rule: id, copies, exclude }) => [
      prepare('POST', path('/rules/:rule_id/reduce', { rule_id: id.trim() }), {
        copies: Number(copies),
        ...(exclude.trim() === '' ? {} : { exclude_expression: exclude.trim() }),
      }),
    ],
    rucio: () => [],
    result: () => ['Show the rules', placeUrl(['rules'])],
  }),
  'change-rule': task({
    about: 'What a rule asks for stays; these options can be changed.',
    button: 'Change the rule',
    fields: [
      rule,
      { name: 'days', label: 'Days until it ends', kind: 'number', min: '0', step: 'any', placeholder: 'as it is' },
      { name: 'comment', label: 'Comment', hint: 'Empty: as it is.' },
      { name: 'new_account', label: 'Give it to the account', suggest: 'accounts', hint: 'Empty: as it is.' },
      { name: 'source', label: 'Copy from the RSEs', kind: 'rses', hint: 'Empty: as it is.' },
      { name: 'locked', label: 'Locked, so that it cannot be deleted', choices: yesOrNo },
      { name: 'purge', label: 'Delete the replicas at once when it ends', choices: yesOrNo },
    ],
    effect: (values) => {
      const changed = Object.keys(changesOf(values));
      return (
        <p>
          {changed.length === 0 ? 'Nothing changes.' : `Changed: ${changed.join(', ').replaceAll('_', ' ')}.`}
          {values.new_account !== '' && ' The quota of the new account is used, that of the former one is free again.'}
        </p>
      );
    },
    Preview: ({ values }) => <NamedRules ids={[values.rule]} />,
    requests: ({ rule: id, ...values }) => {
      const options = changesOf(values);
      return Object.keys(options).length === 0 ? [] : [prepare('PUT', target(id), { options })];
    },
    rucio: ({ rule: id, days, comment, new_account: account, source, locked }) => {
      const options = [
        ...(days === '' ? [] : [`--lifetime ${secondsOf(days)}`]),
        ...(comment === '' ? [] : [`--comment ${shellWord(comment)}`]),
        ...(account === '' ? [] : [`--account ${shellWord(account)}`]),
        ...(source === '' ? [] : [`--source-rses ${shellWord(source)}`]),
        ...(locked === '' ? [] : [`--locked ${locked === 'yes' ? 'True' : 'False'}`]),
      ];
      return options.length === 0 ? [] : [`rucio rule update ${shellWord(id)} ${options.join(' ')}`];
    },
    result: ({ rule: id }) => show(id),
  }),
  'repair-rules': task({
    about: 'Stuck copies are asked for again, from whatever source there is now.',
    button: 'Repair them',
    fields: [
      { name: 'rules', label: 'Rules, one a line', kind: 'lines', required: true, placeholder: 'their ids' },
      {
        name: 'priority',
        label: 'Priority of their transfers',
        choices: [
          ['', 'as it is'],
          ['5', '5, before others'],
          ['3', '3, the usual one'],
          ['1', '1, after others'],
        ],
      },
    ],
    effect: ({ rules: text, priority }) => (
      <p>
        Each of {counted(linesOf(text).length, 'rule')} is tried again at once
        {priority === '' ? '' : `, with transfers of priority ${priority}`}. What has no good source stays stuck.
      </p>
    ),
    Preview: ({ values }) => <NamedRules ids={linesOf(values.rules).slice(0, shownRules)} />,
    requests: ({ rules: text, priority }) =>
      linesOf(text).flatMap((id) => {
        const boost = prepare('PUT', target(id), { options: { boost_rule: true } });
        if (priority === '') return [boost];
        return [prepare('PUT', target(id), { options: { priority: Number(priority) } }), boost];
      }),
    rucio: ({ rules: text, priority }) =>
      linesOf(text).map(
        (id) =>
          `rucio rule update ${shellWord(id)}${priority === '' ? '' : ` --priority ${priority}`} --boost-rule --stuck`,
      ),
    result: () => ['Show the rules that are stuck', placeUrl(['rules'], { state: 'STUCK' })],
  }),
};
export default rules;

/** So many rules are looked up: each is a request. */
const shownRules = 10;

type Changes = Readonly<Record<'days' | 'comment' | 'new_account' | 'source' | 'locked' | 'purge', string>>;

function changesOf({ days, comment, new_account: account, source, locked, purge }: Changes) {
  return {
    ...(days === '' ? {} : { lifetime: secondsOf(days) }),
    ...(comment === '' ? {} : { comment }),
    ...(account.trim() === '' ? {} : { account: account.trim() }),
    ...(source.trim() === '' ? {} : { source_replica_expression: source.trim() }),
    ...(locked === '' ? {} : { locked: locked === 'yes' }),
    ...(purge === '' ? {} : { purge_replicas: purge === 'yes' }),
  };
}

/** Rules by their ids: what each is for, and its state. */
function NamedRules({ ids }: { ids: readonly string[] }) {
  const { value, error, reload } = useLoad(`rules ${ids.join(' ')}`, (signal) =>
    Promise.all(ids.map((id) => getJson(target(id), { signal }))),
  );
  return (
    <>
      <Pending of={{ value, error, reload }} />
      <ul class="plain-list">
        {value?.map((found) => (
          <li key={found.id}>
            <RuleLink id={found.id} /> <State of={found.state} />{' '}
            {found.scope !== undefined && <DidLink scope={found.scope} name={found.name ?? ''} />}: {found.copies} ×{' '}
            <bdi class="name">{found.rse_expression}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
