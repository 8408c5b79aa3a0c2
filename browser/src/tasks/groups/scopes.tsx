import { path, prepare } from '../../api/client.ts';
import { shellWord } from '../../format.ts';
import { placeUrl } from '../../router.ts';
import { type Field, task, type Tasks } from '../task.ts';

const account = { name: 'account', label: 'Account', suggest: 'accounts', required: true } as const satisfies Field;

const show = (name: string) => ['Show the account', placeUrl(['account', name.trim()])] as const;

/** Tasks with scopes. */
export const scopes: Tasks = {
  'add-scope': task({
    about: 'A scope holds names, and belongs to an account, which may make DIDs in it.',
    button: 'Make the scope',
    fields: [
      account,
      { name: 'new_scope', label: 'Scope', required: true, placeholder: 'user.jdoe', names: () => 'scope' },
    ],
    effect: ({ account: name, new_scope: scope }) => (
      <p>
        The scope <bdi class="name">{scope}</bdi> is made. <bdi class="name">{name}</bdi> may make DIDs in it. A scope
        cannot be deleted.
      </p>
    ),
    requests: ({ account: name, new_scope: scope }) => [
      prepare('POST', path('/scopes/:account/:scope', { account: name.trim(), scope: scope.trim() })),
    ],
    rucio: ({ account: name, new_scope: scope }) => [
      `rucio scope add ${shellWord(scope)} --account ${shellWord(name)}`,
    ],
    result: ({ account: name }) => show(name),
  }),
  'give-scope': task({
    about: 'A scope, with the right to make and change what is in it, goes to another account.',
    button: 'Give the scope',
    fields: [
      { name: 'scope', label: 'Scope', suggest: 'own scopes', required: true },
      { name: 'new_account', label: 'New account', suggest: 'accounts', required: true },
    ],
    effect: ({ scope, new_account: name }) => (
      <p>
        <bdi class="name">{name}</bdi> owns <bdi class="name">{scope}</bdi> from now on. The former owner can no longer
        change what is in it; rules and quotas stay with their accounts.
      </p>
    ),
    requests: ({ scope, new_account: name }) => [
      prepare('PUT', path('/scopes/:account/:scope', { account: name.trim(), scope: scope.trim() })),
    ],
    rucio: ({ scope, new_account: name }) => [`rucio scope update ${shellWord(scope)} --account ${shellWord(name)}`],
    result: ({ new_account: name }) => show(name),
  }),
};
