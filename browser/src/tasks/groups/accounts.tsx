import { path, prepare } from '../../api/client.ts';
import { shellWord } from '../../format.ts';
import { placeUrl } from '../../router.ts';
import { type Field, task, type Tasks } from '../task.ts';
import { scopes } from './scopes.tsx';

const account = { name: 'account', label: 'Account', suggest: 'accounts', required: true } as const satisfies Field;

const show = (name: string) => ['Show the account', placeUrl(['account', name.trim()])] as const;

const identityTypes = [
  ['USERPASS', 'user name and password'],
  ['X509', 'X.509 certificate'],
  ['SSH', 'SSH key'],
  ['OIDC', 'OpenID'],
] as const;

const identityHints: Readonly<Record<string, string>> = {
  USERPASS: 'The user name.',
  X509: 'The subject of the certificate, such as /DC=ch/CN=Jane Doe.',
  SSH: 'The public key.',
  OIDC: 'SUB=<subject>, ISS=<issuer>.',
};

/** Characters that a header carries, in which passwords are sent. */
const printable = '[ -~]+';

const accounts: Tasks = {
  'add-account': task({
    about: 'An account owns data, rules and quotas. Those who may act for it log in by its identities.',
    button: 'Make the account',
    fields: [
      {
        name: 'account',
        label: 'Name',
        required: true,
        placeholder: 'jdoe',
        hint: 'It cannot be changed.',
        names: () => 'account',
      },
      {
        name: 'type',
        label: 'Type',
        choices: [
          ['USER', 'a user'],
          ['GROUP', 'a group'],
          ['SERVICE', 'a service'],
        ],
      },
      { name: 'email', label: 'E-mail', placeholder: 'jdoe@example.org' },
      { name: 'username', label: 'User name', hint: 'Empty: nobody can log in yet.' },
      {
        name: 'password',
        label: 'Password',
        kind: 'password',
        pattern: printable,
        when: ({ username }) => username !== '',
      },
      { name: 'own_scope', label: 'A scope of its own', hint: 'Empty: none.', placeholder: 'user.jdoe' },
    ],
    effect: ({ account: name, type, username, own_scope: scope }) => (
      <p>
        The {type.toLowerCase()} account <bdi class="name">{name}</bdi> is made
        {username !== '' && (
          <>
            , <bdi class="name">{username}</bdi> may log in as it
          </>
        )}
        {scope !== '' && (
          <>
            , and the scope <bdi class="name">{scope}</bdi> is its own
          </>
        )}
        . It has no quota, so it can make no rules yet.
      </p>
    ),
    requests: ({ account: name, type, email, username, password, own_scope: scope }) => [
      prepare('POST', path('/accounts/:account', { account: name.trim() }), { type, email: email || null }),
      ...(username === ''
        ? []
        : [
            prepare('POST', path('/accounts/:account/identities', { account: name.trim() }), {
              identity: username,
              authtype: 'USERPASS',
              email,
              password,
            }),
          ]),
      ...(scope === '' ? [] : [prepare('POST', path('/scopes/:account/:scope', { account: name.trim(), scope }))]),
    ],
    rucio: ({ account: name, type, email, username, password, own_scope: scope }) => [
      `rucio account add ${shellWord(name)} ${type}${email === '' ? '' : ` --email ${shellWord(email)}`}`,
      ...(username === ''
        ? []
        : [
            `rucio account identity add ${shellWord(name)} --type USERPASS --id ${shellWord(username)} --email ${shellWord(email)} --password ${shellWord(password)}`,
          ]),
      ...(scope === '' ? [] : [`rucio scope add ${shellWord(scope)} --account ${shellWord(name)}`]),
    ],
    result: ({ account: name }) => show(name),
  }),
  'edit-account': task({
    about: 'A suspended account keeps all that it owns, but nobody can act for it.',
    button: 'Change the account',
    fields: [
      account,
      {
        name: 'status',
        label: 'Status',
        choices: [
          ['', 'as it is'],
          ['ACTIVE', 'active'],
          ['SUSPENDED', 'suspended'],
        ],
      },
      { name: 'email', label: 'E-mail', hint: 'Empty: as it is.' },
    ],
    effect: ({ account: name, status, email }) => (
      <p>
        <bdi class="name">{name}</bdi>{' '}
        {status === 'SUSPENDED' && 'can do nothing any more, within a minute; its rules and data stay. '}
        {status === 'ACTIVE' && 'can act again. '}
        {email !== '' && `has the address ${email}.`}
        {status === '' && email === '' && 'stays as it is.'}
      </p>
    ),
    requests: ({ account: name, status, email }) => {
      const change = { ...(status === '' ? {} : { status }), ...(email === '' ? {} : { email }) };
      if (Object.keys(change).length === 0) return [];
      return [prepare('PUT', path('/accounts/:account', { account: name.trim() }), change)];
    },
    rucio: ({ account: name, status, email }) => [
      ...(status === ''
        ? []
        : [`rucio account update ${shellWord(name)} ${status === 'ACTIVE' ? '--unban' : '--ban'}`]),
      ...(email === '' ? [] : [`rucio account update ${shellWord(name)} --email ${shellWord(email)}`]),
    ],
    result: ({ account: name }) => show(name),
  }),
  'delete-account': task({
    about: 'A deleted account can never act again.',
    button: 'Delete the account',
    fields: [account],
    effect: ({ account: name }) => (
      <p>
        Nobody can act for <bdi class="name">{name}</bdi> any more, and its name cannot be used again. Its data, rules
        and scopes stay: give them to others. This cannot be undone; to keep somebody out for a time, suspend the
        account.
      </p>
    ),
    requests: ({ account: name }) => [prepare('DELETE', path('/accounts/:account', { account: name.trim() }))],
    rucio: ({ account: name }) => [`rucio account remove ${shellWord(name)}`],
    result: () => ['Show the accounts', placeUrl(['accounts'])],
  }),
  'add-identity': task({
    about: 'An identity is what somebody logs in with. It may act for several accounts.',
    button: 'Add the identity',
    fields: [
      account,
      { name: 'type', label: 'Kind', choices: identityTypes },
      { name: 'identity', label: 'Identity', required: true },
      {
        name: 'password',
        label: 'Password',
        kind: 'password',
        pattern: printable,
        when: ({ type }) => type === 'USERPASS',
      },
      { name: 'email', label: 'E-mail' },
    ],
    effect: ({ account: name, type, identity }) => (
      <>
        <p>
          Whoever logs in as <bdi class="name">{identity}</bdi> may act for <bdi class="name">{name}</bdi>.
        </p>
        <p class="hint">{identityHints[type]}</p>
      </>
    ),
    requests: ({ account: name, type, identity, password, email }) => [
      prepare('POST', path('/accounts/:account/identities', { account: name.trim() }), {
        identity,
        authtype: type,
        email,
        ...(type === 'USERPASS' ? { password } : {}),
      }),
    ],
    rucio: ({ account: name, type, identity, password, email }) => [
      `rucio account identity add ${shellWord(name)} --type ${type} --id ${shellWord(identity)} --email ${shellWord(email)}${type === 'USERPASS' ? ` --password ${shellWord(password)}` : ''}`,
    ],
    result: ({ account: name }) => show(name),
  }),
  'remove-identity': task({
    about: 'Whoever logs in with the identity can no longer act for the account.',
    button: 'Remove the identity',
    fields: [
      account,
      { name: 'type', label: 'Kind', choices: identityTypes },
      { name: 'identity', label: 'Identity', required: true },
    ],
    effect: ({ account: name, identity }) => (
      <p>
        <bdi class="name">{identity}</bdi> may not act for <bdi class="name">{name}</bdi> any more, within a minute. An
        identity that acts for no account is forgotten, with its password.
      </p>
    ),
    requests: ({ account: name, type, identity }) => [
      prepare('DELETE', path('/accounts/:account/identities', { account: name.trim() }), { identity, authtype: type }),
    ],
    rucio: ({ account: name, type, identity }) => [
      `rucio account identity remove ${shellWord(name)} --type ${type} --id ${shellWord(identity)}`,
    ],
    result: ({ account: name }) => show(name),
  }),
  'set-password': task({
    about: 'Whoever has forgotten a password gets a new one. Your own you change on the page of your account.',
    button: 'Set the password',
    fields: [
      account,
      { name: 'username', label: 'User name', required: true },
      { name: 'password', label: 'New password', kind: 'password', required: true, pattern: printable },
    ],
    effect: ({ username }) => (
      <p>
        <bdi class="name">{username}</bdi> logs in with the new password from now on; sessions with the former one end.
      </p>
    ),
    requests: ({ account: name, username, password }) => [
      prepare('PUT', path('/identities/:account/userpass', { account: name.trim() }), undefined, {
        'X-Rucio-Username': username,
        'X-Rucio-Password': password,
      }),
    ],
    rucio: () => [],
    result: ({ account: name }) => show(name),
  }),
  'set-account-attribute': task({
    about: 'Attributes give an account rights, such as admin = true, or a country.',
    button: 'Set the attribute',
    fields: [
      account,
      { name: 'key', label: 'Key', required: true, placeholder: 'admin' },
      { name: 'value', label: 'Value', required: true, placeholder: 'true' },
    ],
    effect: ({ account: name, key, value }) => (
      <p>
        <bdi class="name">{name}</bdi> has <bdi class="name">{key}</bdi> = <bdi class="name">{value}</bdi>.
        {key === 'admin' && value.toLowerCase() === 'true' && ' It may then do nearly everything.'}
      </p>
    ),
    requests: ({ account: name, key, value }) => [
      prepare('POST', path('/accounts/:account/attr/:key', { account: name.trim(), key: key.trim() }), {
        value,
      }),
    ],
    rucio: ({ account: name, key, value }) => [
      `rucio account attribute set ${shellWord(name)} --key ${shellWord(key)} --value ${shellWord(value)}`,
    ],
    result: ({ account: name }) => show(name),
  }),
  'remove-account-attribute': task({
    about: 'The rights that an attribute gives go with it.',
    button: 'Remove the attribute',
    fields: [account, { name: 'key', label: 'Key', required: true }],
    effect: ({ account: name, key }) => (
      <p>
        <bdi class="name">{name}</bdi> no longer has <bdi class="name">{key}</bdi>, nor the rights that it gives, within
        a minute.
      </p>
    ),
    requests: ({ account: name, key }) => [
      prepare('DELETE', path('/accounts/:account/attr/:key', { account: name.trim(), key: key.trim() })),
    ],
    rucio: ({ account: name, key }) => [`rucio account attribute unset ${shellWord(name)} --key ${shellWord(key)}`],
    result: ({ account: name }) => show(name),
  }),
  ...scopes,
};
export default accounts;
