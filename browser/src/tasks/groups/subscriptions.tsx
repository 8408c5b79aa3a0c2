import { getPage, path, prepare } from '../../api/client.ts';
import { counted, shellWord } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Pending } from '../../ui/basics.tsx';
import { DidLink } from '../../ui/values.tsx';
import { type Field, task, type Tasks } from '../task.ts';
import { linesOf, secondsOf } from '../texts.ts';

const account = { name: 'account', label: 'Account', suggest: 'accounts', required: true } as const satisfies Field;
const name = { name: 'name', label: 'Name', required: true, placeholder: 'second-copies' } as const satisfies Field;

const show = (owner: string, called: string) =>
  ['Show the subscription', placeUrl(['subscription', owner.trim(), called.trim()])] as const;

const subscriptions: Tasks = {
  'add-subscription': task({
    about: 'A subscription makes rules for new data that match its filter, within seconds.',
    button: 'Make the subscription',
    fields: [
      account,
      name,
      { name: 'scopes', label: 'Scopes, one a line', kind: 'lines', required: true, placeholder: 'data26' },
      {
        name: 'type',
        label: 'Data',
        choices: [
          ['DATASET', 'datasets'],
          ['CONTAINER', 'containers'],
          ['', 'both'],
        ],
      },
      {
        name: 'pattern',
        label: 'Names that match',
        placeholder: 'raw\\..*',
        hint: 'A regular expression; empty: all.',
      },
      {
        name: 'metadata',
        label: 'Metadata, one a line',
        kind: 'lines',
        placeholder: 'datatype=AOD,RAW',
        hint: 'Each key with its values, with commas between.',
      },
      { name: 'expression', label: 'Rules on the RSEs', kind: 'rses', required: true },
      { name: 'copies', label: 'Copies', kind: 'number', min: '1', required: true, initial: '1' },
      {
        name: 'rule_days',
        label: 'Days until a rule ends',
        kind: 'number',
        min: '0',
        step: 'any',
        placeholder: 'never',
      },
      { name: 'activity', label: 'Activity', required: true, initial: 'User Subscriptions' },
      { name: 'days', label: 'Days until the subscription ends', kind: 'number', min: '1', placeholder: 'never' },
      { name: 'comment', label: 'Comment' },
      { name: 'retroactive', label: 'Also for data that exist', kind: 'check' },
    ],
    effect: ({ name: called, expression, copies, retroactive }) => (
      <p>
        Each new DID that matches gets a rule with {counted(Number(copies), 'copy')} on{' '}
        <bdi class="name">{expression}</bdi>, from <bdi class="name">{called}</bdi>.{' '}
        {retroactive === 'yes' && 'Those that match now get one, too. '}The rules stay when the subscription ends.
      </p>
    ),
    Preview: ({ values }) => <MatchingNow {...values} />,
    requests: (values) => [
      prepare(
        'POST',
        path('/subscriptions/:account/:name', { account: values.account.trim(), name: values.name.trim() }),
        {
          options: {
            filter: filterOf(values),
            replication_rules: [ruleOf(values)],
            comments: values.comment,
            lifetime: values.days === '' ? null : Number(values.days),
            retroactive: values.retroactive === 'yes',
            dry_run: false,
          },
        },
      ),
    ],
    rucio: (values) => [
      `rucio subscription add ${shellWord(values.name)} --account ${shellWord(values.account)} --filter ${shellWord(JSON.stringify(filterOf(values)))} --rule ${shellWord(JSON.stringify([ruleOf(values)]))} --comment ${shellWord(values.comment)}${values.days === '' ? '' : ` --lifetime ${values.days}`}`,
    ],
    result: ({ account: owner, name: called }) => show(owner, called),
  }),
  'stop-subscription': task({
    about: 'An inactive subscription makes no rules.',
    button: 'Stop the subscription',
    fields: [account, name],
    effect: ({ name: called }) => (
      <p>
        <bdi class="name">{called}</bdi> makes no rules for data that come from now on. The rules that it has made stay.
      </p>
    ),
    requests: ({ account: owner, name: called }) => [
      prepare('PUT', path('/subscriptions/:account/:name', { account: owner.trim(), name: called.trim() }), {
        options: { state: 'I' },
      }),
    ],
    rucio: () => [],
    result: ({ account: owner, name: called }) => show(owner, called),
  }),
  'start-subscription': task({
    about: 'An inactive subscription matches new data again.',
    button: 'Start the subscription',
    fields: [account, name, { name: 'comment', label: 'Comment', required: true, hint: 'Why it goes on.' }],
    effect: ({ name: called }) => (
      <p>
        <bdi class="name">{called}</bdi> makes rules for data that come from now on, not for those that came meanwhile.
      </p>
    ),
    requests: ({ account: owner, name: called, comment }) => [
      prepare('PUT', path('/subscriptions/:account/:name', { account: owner.trim(), name: called.trim() }), {
        options: { comments: comment },
      }),
    ],
    rucio: () => [],
    result: ({ account: owner, name: called }) => show(owner, called),
  }),
};
export default subscriptions;

type Filter = Readonly<Record<'scopes' | 'type' | 'pattern' | 'metadata', string>>;

function filterOf({ scopes, type, pattern, metadata }: Filter) {
  return {
    scope: [...linesOf(scopes)],
    ...(type === '' ? {} : { did_type: [type] }),
    ...(pattern.trim() === '' ? {} : { pattern: pattern.trim() }),
    ...Object.fromEntries(metadataOf(metadata)),
  };
}

/** The lines `key=value,value` of a text. */
function metadataOf(text: string): readonly (readonly [key: string, values: string[]])[] {
  return linesOf(text).map((line) => {
    const [key = '', ...rest] = line.split('=');
    return [
      key.trim(),
      rest
        .join('=')
        .split(',')
        .map((value) => value.trim()),
    ];
  });
}

function ruleOf(values: Readonly<Record<'expression' | 'copies' | 'rule_days' | 'activity', string>>) {
  const lifetime = secondsOf(values.rule_days);
  return {
    rse_expression: values.expression.trim(),
    copies: Number(values.copies),
    activity: values.activity,
    ...(lifetime === null ? {} : { lifetime }),
  };
}

const shownMatches = 5;
/** So many names of a scope are looked at: more would cost too much for a preview. */
const triedNames = 500;

/** Data of the first scope that would match now, so that a wrong filter is noticed before it is made. */
function MatchingNow({ scopes, type, pattern, metadata }: Filter) {
  const [scope = ''] = linesOf(scopes);
  const pairs = metadataOf(metadata);
  const query = {
    type: type === '' ? 'collection' : type.toLowerCase(),
    ...Object.fromEntries(pairs.flatMap(([key, [value]]) => (value === undefined ? [] : [[key, value] as const]))),
  };
  const test = parsePattern(pattern);
  const key = `matching ${scope} ${pattern} ${JSON.stringify(query)}`;
  const { value, error, reload } = useLoad(key, async (signal) => {
    const { rows, next } = await getPage(path('/dids/:scope/dids/search', { scope }), triedNames, undefined, {
      query: { ...query, long: true } as never,
      signal,
    });
    const names = rows.flatMap((row) =>
      typeof row === 'object' && 'name' in row && test?.test(row.name) === true ? [row.name] : [],
    );
    return { names, isPart: next !== undefined };
  });
  if (test === undefined) return <p class="hint">The pattern cannot be read.</p>;
  return (
    <>
      <Pending of={{ value, error, reload }} />
      {value !== undefined && (
        <>
          <p>
            {value.names.length === 0
              ? 'Nothing that is there now would match'
              : `${value.isPart ? 'At least ' : ''}${counted(value.names.length, 'DID')} that exist would match`}{' '}
            in <bdi class="name">{scope}</bdi>
            {pairs.some(([, values]) => values.length > 1) && ', with the first value of each key'}
            {value.isPart && value.names.length === 0 && `, of the first ${triedNames} names`}.
          </p>
          <ul class="plain-list">
            {value.names.slice(0, shownMatches).map((one) => (
              <li key={one}>
                <DidLink scope={scope} name={one} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** A pattern that matches from the beginning of a name, as in Python; undefined if it cannot be read. */
function parsePattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${pattern.trim()})`);
  } catch {
    return undefined;
  }
}
