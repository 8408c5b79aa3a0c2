import { path, prepare } from '../../api/client.ts';
import { humanBytes, shellWord } from '../../format.ts';
import { placeUrl } from '../../router.ts';
import { type Field, task, type Tasks } from '../task.ts';
import { bytesOf } from '../texts.ts';

const rse = { name: 'rse', label: 'RSE', suggest: 'rses', required: true } as const satisfies Field;

const show = (name: string) => ['Show the RSE', placeUrl(['rse', name.trim()], { tab: 'settings' })] as const;

/** The command that sets an attribute of an RSE. */
export const attributeCommand = (name: string, key: string, value: string) =>
  `rucio rse attribute set ${shellWord(name)} --key ${shellWord(key)} --value ${shellWord(value)}`;

/** Tasks with attributes, limits and distances of RSEs. */
export const rseProperties: Tasks = {
  'set-rse-attribute': task({
    about: 'RSE expressions choose RSEs by their attributes; some say how the RSE is used.',
    button: 'Set the attribute',
    fields: [
      rse,
      { name: 'key', label: 'Key', required: true, placeholder: 'tier' },
      { name: 'value', label: 'Value', required: true, placeholder: '1' },
    ],
    effect: ({ rse: name, key, value }) => (
      <p>
        <bdi class="name">{name}</bdi> has <bdi class="name">{key}</bdi> = <bdi class="name">{value}</bdi>. Rules that
        exist stay where they are; new ones choose by it.
      </p>
    ),
    requests: ({ rse: name, key, value }) => [
      prepare('POST', path('/rses/:rse/attr/:key', { rse: name.trim(), key: key.trim() }), { value }),
    ],
    rucio: ({ rse: name, key, value }) => [attributeCommand(name, key, value)],
    result: ({ rse: name }) => show(name),
  }),
  'remove-rse-attribute': task({
    about: 'Expressions with the attribute no longer choose the RSE.',
    button: 'Remove the attribute',
    fields: [rse, { name: 'key', label: 'Key', required: true }],
    effect: ({ rse: name, key }) => (
      <p>
        <bdi class="name">{name}</bdi> no longer has <bdi class="name">{key}</bdi>.
      </p>
    ),
    requests: ({ rse: name, key }) => [
      prepare('DELETE', path('/rses/:rse/attr/:key', { rse: name.trim(), key: key.trim() })),
    ],
    rucio: ({ rse: name, key }) => [`rucio rse attribute unset ${shellWord(name)} --attribute ${shellWord(key)}`],
    result: ({ rse: name }) => show(name),
  }),
  'set-rse-limit': task({
    about: 'A limit of an RSE is about its space, such as what the reaper keeps free.',
    button: 'Set the limit',
    fields: [
      rse,
      { name: 'limit', label: 'Limit', initial: 'MinFreeSpace', required: true },
      { name: 'amount', label: 'Size', required: true, placeholder: '500 GB' },
    ],
    effect: ({ rse: name, limit, amount }) => (
      <p>
        {limit} of <bdi class="name">{name}</bdi> is {humanBytes(bytesOf(amount) ?? 0)}.
        {limit === 'MinFreeSpace' && ' The reaper deletes files that no rule keeps until so much is free.'}
      </p>
    ),
    requests: ({ rse: name, limit, amount }) => [
      prepare('PUT', path('/rses/:rse/limits', { rse: name.trim() }), { name: limit, value: bytesOf(amount) ?? 0 }),
    ],
    rucio: ({ rse: name, limit, amount }) => [
      `rucio rse limit set ${shellWord(name)} --limit ${shellWord(limit)} ${bytesOf(amount) ?? 0}`,
    ],
    result: ({ rse: name }) => show(name),
  }),
  'set-distance': task({
    about: 'Of several sources the nearest one is copied from.',
    button: 'Set the distance',
    fields: [
      { ...rse, label: 'From' },
      { name: 'destination', label: 'To', suggest: 'rses', required: true },
      { name: 'distance', label: 'Distance', kind: 'number', min: '0', required: true, initial: '1' },
      {
        name: 'way',
        label: 'Now',
        choices: [
          ['new', 'none is set'],
          ['change', 'another one is set'],
        ],
      },
    ],
    effect: ({ rse: name, destination, distance }) => (
      <p>
        It is {distance} from <bdi class="name">{name}</bdi> to <bdi class="name">{destination}</bdi>; the other
        direction is apart.
      </p>
    ),
    requests: ({ rse: source, destination, distance, way }) => [
      prepare(way === 'new' ? 'POST' : 'PUT', path('/rses/:source/distances/:destination', { source, destination }), {
        distance: Number(distance),
      }),
    ],
    rucio: ({ rse: name, destination, distance }) => [
      `rucio rse distance set ${shellWord(name)} ${shellWord(destination)} --distance ${distance}`,
    ],
    result: ({ rse: name }) => ['Show the distances', placeUrl(['rse', name.trim()], { tab: 'distances' })],
  }),
};
