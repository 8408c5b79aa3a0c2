import { path, prepare } from '../../api/client.ts';
import { counted, shellWord } from '../../format.ts';
import { placeUrl } from '../../router.ts';
import { Dependents, NamedDids } from '../previews.tsx';
import { type Field, task, type Tasks } from '../task.ts';
import { didOf, didsOf, secondsOf } from '../texts.ts';

const did = (text: string) => {
  const { scope, name } = didOf(text);
  return ['Show it', placeUrl(['did', scope, name])] as const;
};

const collection = { name: 'did', label: 'Dataset or container', required: true, placeholder: 'scope:name' } as const;

const members = {
  name: 'members',
  label: 'DIDs, one a line',
  hint: 'A name without a scope is one of the same scope.',
  kind: 'lines',
  required: true,
  placeholder: 'scope:name',
} as const satisfies Field;

const setOpen = (text: string, open: boolean) => [
  prepare('PUT', path('/dids/**:scope_name/status', { did: didOf(text) }), { open }),
];

const dids: Tasks = {
  'make-collection': task({
    about: 'A dataset groups files. A container groups datasets or other containers.',
    button: 'Make it',
    fields: [
      {
        name: 'type',
        label: 'What',
        choices: [
          ['DATASET', 'a dataset, which groups files'],
          ['CONTAINER', 'a container, which groups datasets'],
        ],
      },
      { name: 'scope', label: 'Scope', suggest: 'own scopes', required: true, placeholder: 'user.jdoe' },
      {
        name: 'name',
        label: 'Name',
        required: true,
        hint: 'It cannot be changed, and is never used again.',
        names: ({ type }) => (type === 'CONTAINER' ? 'CONTAINER' : 'DATASET'),
      },
      { name: 'members', label: 'DIDs to attach, one a line', kind: 'lines', placeholder: 'scope:name' },
      { name: 'days', label: 'Days until it ends', kind: 'number', min: '0', step: 'any', placeholder: 'never' },
    ],
    effect: ({ type, scope, name, members: text, days }) => (
      <p>
        An open {type.toLowerCase()}{' '}
        <bdi class="name">
          {scope}:{name}
        </bdi>{' '}
        is made, with {text.trim() === '' ? 'nothing' : counted(didsOf(text, scope).length, 'DID')} in it.{' '}
        {days === '' ? 'It never ends by itself.' : `It ends in ${days} days.`} Nothing is copied: for that it needs a
        rule.
      </p>
    ),
    Preview: ({ values }) => <NamedDids text={values.members} scope={values.scope} />,
    requests: ({ type, scope, name, members: text, days }) => {
      const attached = didsOf(text, scope);
      return [
        prepare('POST', path('/dids/**:scope_name', { did: { scope: scope.trim(), name: name.trim() } }), {
          type,
          ...(secondsOf(days) === null ? {} : { lifetime: secondsOf(days) }),
          ...(attached.length === 0 ? {} : { dids: attached }),
        }),
      ];
    },
    rucio: ({ type, scope, name, members: text, days }) => {
      const made = shellWord(`${scope}:${name}`);
      const attached = didsOf(text, scope).map((one) => shellWord(`${one.scope}:${one.name}`));
      const lifetime = days === '' ? '' : ` --lifetime ${secondsOf(days)}`;
      return [
        `rucio did add --type ${type.toLowerCase()}${lifetime} ${made}`,
        ...(attached.length === 0 ? [] : [`rucio did content add --to-did ${made} ${attached.join(' ')}`]),
      ];
    },
    result: ({ scope, name }) => ['Show it', placeUrl(['did', scope.trim(), name.trim()])],
  }),
  attach: task({
    about: 'Files become a part of a dataset, datasets of a container.',
    button: 'Attach',
    fields: [collection, members],
    effect: ({ did: text, members: lines }) => (
      <p>
        {counted(didsOf(lines, didOf(text).scope).length, 'DID')} become a part of <bdi class="name">{text}</bdi>. The
        rules on it, and on what it is a part of, then keep them as well: missing copies are made.
      </p>
    ),
    Preview: ({ values }) => <NamedDids text={values.members} scope={didOf(values.did).scope} />,
    requests: ({ did: text, members: lines }) => [
      prepare('POST', path('/dids/**:scope_name/dids', { did: didOf(text) }), {
        dids: didsOf(lines, didOf(text).scope),
      }),
    ],
    rucio: ({ did: text, members: lines }) => [
      `rucio did content add --to-did ${shellWord(text)} ${wordsOf(lines, text)}`,
    ],
    result: ({ did: text }) => did(text),
  }),
  detach: task({
    about: 'What is detached stays in the catalogue, but no longer belongs to the dataset or container.',
    button: 'Detach',
    fields: [collection, members],
    effect: ({ did: text, members: lines }) => (
      <p>
        {counted(didsOf(lines, didOf(text).scope).length, 'DID')} are no part of <bdi class="name">{text}</bdi> any
        more. Its rules no longer keep them: files that no other rule keeps may then be deleted from their RSEs.
      </p>
    ),
    Preview: ({ values }) => <NamedDids text={values.members} scope={didOf(values.did).scope} />,
    requests: ({ did: text, members: lines }) => [
      prepare('DELETE', path('/dids/**:scope_name/dids', { did: didOf(text) }), {
        dids: didsOf(lines, didOf(text).scope),
      }),
    ],
    rucio: ({ did: text, members: lines }) => [
      `rucio did content remove --from-did ${shellWord(text)} ${wordsOf(lines, text)}`,
    ],
    result: ({ did: text }) => did(text),
  }),
  close: task({
    about: 'A closed dataset or container has its final content.',
    button: 'Close it',
    fields: [collection],
    effect: () => (
      <p>Nothing can be attached to it or detached from it any more. Its rules and replicas stay as they are.</p>
    ),
    requests: ({ did: text }) => setOpen(text, false),
    rucio: ({ did: text }) => [`rucio did update --close ${shellWord(text)}`],
    result: ({ did: text }) => did(text),
  }),
  reopen: task({
    about: 'An open dataset or container accepts more.',
    button: 'Open it again',
    fields: [collection],
    effect: () => (
      <p>DIDs can be attached to it and detached from it again. Whoever trusted its content may be surprised.</p>
    ),
    requests: ({ did: text }) => setOpen(text, true),
    rucio: ({ did: text }) => [`rucio did update --open ${shellWord(text)}`],
    result: ({ did: text }) => did(text),
  }),
  'set-metadata': task({
    about: 'Metadata are keys with values, by which data are found.',
    button: 'Set it',
    fields: [
      { name: 'did', label: 'DID', required: true, placeholder: 'scope:name' },
      { name: 'key', label: 'Key', required: true, placeholder: 'run_number' },
      { name: 'value', label: 'Value', required: true, hint: 'A number or true and false are taken as such.' },
    ],
    effect: ({ did: text, key, value }) => (
      <p>
        <bdi class="name">{text}</bdi> has <bdi class="name">{key}</bdi> = <bdi class="name">{value}</bdi>; a former
        value of the key is replaced.
      </p>
    ),
    requests: ({ did: text, key, value }) => [
      prepare('POST', path('/dids/**:scope_name/meta/:key', { did: didOf(text), key: key.trim() }), {
        value: toMetadata(value),
      }),
    ],
    rucio: ({ did: text, key, value }) => [
      `rucio did metadata set ${shellWord(text)} --key ${shellWord(key)} --value ${shellWord(value)}`,
    ],
    result: ({ did: text }) => {
      const { scope, name } = didOf(text);
      return ['Show its metadata', placeUrl(['did', scope, name], { tab: 'metadata' })];
    },
  }),
  'delete-did': task({
    about: 'A DID is deleted by an end of its lifetime. Until then this can be taken back.',
    button: 'Set its end',
    fields: [
      { name: 'did', label: 'DID', required: true, placeholder: 'scope:name' },
      {
        name: 'days',
        label: 'It ends',
        choices: [
          ['1', 'in a day, as rucio did remove does'],
          ['0.0417', 'in an hour'],
          ['7', 'in a week'],
          ['30', 'in 30 days'],
          ['', 'never: take an end back'],
        ],
      },
    ],
    effect: ({ did: text, days }) =>
      days === '' ? (
        <p>
          <bdi class="name">{text}</bdi> does not end any more.
        </p>
      ) : (
        <p>
          At that time <bdi class="name">{text}</bdi> and all rules on it are deleted, and its name is never used again.
          Its content is not: files and datasets in it stay in the catalogue. Files that no other rule keeps may then be
          deleted from their RSEs, and with their last replica from the catalogue. Until then you can come back and
          choose “never”.
        </p>
      ),
    Preview: ({ values }) => <Dependents did={values.did} />,
    requests: ({ did: text, days }) => [
      prepare('POST', path('/dids/**:scope_name/meta/:key', { did: didOf(text), key: 'lifetime' }), {
        value: secondsOf(days),
      }),
    ],
    rucio: ({ did: text, days }) =>
      days === '1' || days === '' ? [`rucio did remove ${days === '' ? '--undo ' : ''}${shellWord(text)}`] : [],
    result: ({ did: text }) => did(text),
  }),
};
export default dids;

function wordsOf(lines: string, parent: string): string {
  return didsOf(lines, didOf(parent).scope)
    .map(({ scope, name }) => shellWord(`${scope}:${name}`))
    .join(' ');
}

/** A value as JSON where it is a number or a boolean, which searches tell from texts. */
function toMetadata(text: string): string | number | boolean {
  const value = text.trim();
  if (value === 'true' || value === 'false') return value === 'true';
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
}
