import { getLines, path, prepare } from '../../api/client.ts';
import { humanBytes, shellWord } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Quota } from '../../ui/quota.tsx';
import { type Field, task, type Tasks } from '../task.ts';
import { bytesOf } from '../texts.ts';

const account = { name: 'account', label: 'Account', suggest: 'accounts', required: true } as const satisfies Field;
const rse = { name: 'rse', label: 'RSE', suggest: 'rses', required: true } as const satisfies Field;
const expression = {
  name: 'expression',
  label: 'RSE expression',
  kind: 'rses',
  required: true,
} as const satisfies Field;
const amount = {
  name: 'amount',
  label: 'Quota',
  required: true,
  placeholder: '10 TB',
  hint: 'Bytes with a unit, such as 10 TB or 1.5 TiB; -1 is no limit.',
  pattern: '\\s*(-1|\\d+(\\.\\d+)?\\s*([kKmMgGtTpP]?[iI]?[bB]|))\\s*',
} as const satisfies Field;

const limitOf = (text: string) => (text.trim() === '-1' ? -1 : (bytesOf(text) ?? 0));
const inWords = (text: string) => (text.trim() === '-1' ? 'as much as it likes' : humanBytes(limitOf(text)));
const show = (name: string) => ['Show the account', placeUrl(['account', name.trim()])] as const;

const limitCommand = (verb: string, name: string, where: string, locality: string, bytes = '') =>
  `rucio account limit ${verb} ${shellWord(name)} --rse ${shellWord(where)}${bytes} --locality ${locality}`;

const quotas: Tasks = {
  'set-quota': task({
    about: 'The quota of an account bounds what its rules keep on an RSE. Without one it can make no rule there.',
    button: 'Set the quota',
    fields: [account, rse, amount],
    effect: ({ account: name, rse: where, amount: text }) => (
      <p>
        The rules of <bdi class="name">{name}</bdi> may keep {inWords(text)} on <bdi class="name">{where}</bdi>. If they
        keep more already they stay, and no new one is taken.
      </p>
    ),
    Preview: ({ values }) => <PresentUse account={values.account} rse={values.rse} />,
    requests: ({ account: name, rse: where, amount: text }) => [
      prepare('POST', path('/accounts/:account/limits/local/:rse', { account: name.trim(), rse: where.trim() }), {
        bytes: limitOf(text),
      }),
    ],
    rucio: ({ account: name, rse: where, amount: text }) => [
      limitCommand('set', name, where, 'local', ` --bytes ${limitOf(text)}`),
    ],
    result: ({ account: name }) => show(name),
  }),
  'remove-quota': task({
    about: 'An account without a quota on an RSE can make no rule there.',
    button: 'Remove the quota',
    fields: [account, rse],
    effect: ({ account: name, rse: where }) => (
      <p>
        <bdi class="name">{name}</bdi> can make no more rules on <bdi class="name">{where}</bdi>. Those that it has
        stay.
      </p>
    ),
    Preview: ({ values }) => <PresentUse account={values.account} rse={values.rse} />,
    requests: ({ account: name, rse: where }) => [
      prepare('DELETE', path('/accounts/:account/limits/local/:rse', { account: name.trim(), rse: where.trim() })),
    ],
    rucio: ({ account: name, rse: where }) => [limitCommand('unset', name, where, 'local')],
    result: ({ account: name }) => show(name),
  }),
  'set-global-quota': task({
    about: 'A quota on several RSEs bounds what the rules of an account keep on all of them together.',
    button: 'Set the quota',
    fields: [account, expression, amount],
    effect: ({ account: name, expression: where, amount: text }) => (
      <p>
        The rules of <bdi class="name">{name}</bdi> may keep {inWords(text)} on the RSEs of{' '}
        <bdi class="name">{where}</bdi> together, beside the quota on each.
      </p>
    ),
    requests: ({ account: name, expression: where, amount: text }) => [
      prepare(
        'POST',
        path('/accounts/:account/limits/global/:expression', { account: name.trim(), expression: where.trim() }),
        {
          bytes: limitOf(text),
        },
      ),
    ],
    rucio: ({ account: name, expression: where, amount: text }) => [
      limitCommand('set', name, where, 'global', ` --bytes ${limitOf(text)}`),
    ],
    result: ({ account: name }) => show(name),
  }),
  'remove-global-quota': task({
    about: 'The bound on several RSEs together goes; the quota on each stays.',
    button: 'Remove the quota',
    fields: [account, expression],
    effect: ({ account: name, expression: where }) => (
      <p>
        What <bdi class="name">{name}</bdi> keeps on the RSEs of <bdi class="name">{where}</bdi> is no longer bounded
        together.
      </p>
    ),
    requests: ({ account: name, expression: where }) => [
      prepare(
        'DELETE',
        path('/accounts/:account/limits/global/:expression', { account: name.trim(), expression: where.trim() }),
      ),
    ],
    rucio: ({ account: name, expression: where }) => [limitCommand('unset', name, where, 'global')],
    result: ({ account: name }) => show(name),
  }),
};
export default quotas;

function PresentUse({ account: name, rse: where }: { account: string; rse: string }) {
  const target = path('/accounts/:account/usage/local/:rse', { account: name, rse: where });
  const { value } = useLoad(target, (signal) => getLines(target, { signal }));
  const [row] = value ?? [];
  if (value === undefined) return null;
  return row === undefined ? (
    <p class="hint">Now it has no quota there, and uses nothing.</p>
  ) : (
    <div>
      Now: <Quota of={row} />
    </div>
  );
}
