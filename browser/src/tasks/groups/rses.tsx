import { getJson, path, prepare, type PreparedRequest } from '../../api/client.ts';
import { shellWord } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Pending } from '../../ui/basics.tsx';
import { type Field, task, type Tasks } from '../task.ts';
import { linesOf } from '../texts.ts';
import { attributeCommand, rseProperties } from './rse-properties.tsx';
import { implementationOf, protocolBody, protocolFields, urlOf } from './rse-protocols.ts';

const rse = { name: 'rse', label: 'RSE', suggest: 'rses', required: true } as const satisfies Field;
const newRse = {
  name: 'rse',
  label: 'Name',
  required: true,
  placeholder: 'SITE_DISK',
  names: () => 'rse',
} as const satisfies Field;

const show = (name: string) => ['Show the RSE', placeUrl(['rse', name.trim()], { tab: 'settings' })] as const;
const testIt = (name: string) => ['Test the storage', placeUrl(['test-storage'], { rse: name.trim() })] as const;

const asItIs = [
  ['', 'as it is'],
  ['yes', 'allowed'],
  ['no', 'not allowed'],
] as const;

const operations = ['read', 'write', 'delete'] as const;

const rses: Tasks = {
  'add-rse': task({
    about: 'An RSE is a storage with its address. Rules place files on it, and movers copy them there.',
    button: 'Make the RSE',
    fields: [
      newRse,
      {
        name: 'type',
        label: 'Type',
        choices: [
          ['DISK', 'disk'],
          ['TAPE', 'tape'],
        ],
      },
      {
        name: 'deterministic',
        label: 'The path of a file follows from its name',
        kind: 'check',
        initial: 'yes',
        hint: 'Otherwise each path is registered with its file',
      },
      ...protocolFields,
      {
        name: 'attributes',
        label: 'Attributes, one a line',
        kind: 'lines',
        placeholder: 'tier=1\nmover=posix',
        hint: 'Expressions choose RSEs by them. The attribute mover names the mover that copies files here.',
      },
    ],
    effect: ({ rse: name, type, scheme, hostname, port, prefix, attributes }) => (
      <p>
        The {type.toLowerCase()} RSE <bdi class="name">{name}</bdi> is made, with its files below{' '}
        <bdi class="name">{urlOf({ scheme, hostname, port, prefix })}</bdi> and {pairsOf(attributes).length} attributes.
        No account has a quota on it yet.
      </p>
    ),
    requests: ({ rse: name, type, deterministic, attributes, ...protocol }) => [
      prepare('POST', path('/rses/:rse', { rse: name.trim() }), {
        rse_type: type === 'TAPE' ? 'TAPE' : 'DISK',
        deterministic: deterministic === 'yes',
      }),
      addProtocol(name, protocol),
      ...pairsOf(attributes).map(([key, value]) =>
        prepare('POST', path('/rses/:rse/attr/:key', { rse: name.trim(), key }), { value }),
      ),
    ],
    rucio: ({ rse: name, deterministic, attributes, ...protocol }) => [
      `rucio rse add ${shellWord(name)}${deterministic === 'yes' ? '' : ' --non-deterministic'}`,
      protocolCommand(name, protocol),
      ...pairsOf(attributes).map(([key, value]) => attributeCommand(name, key, value)),
    ],
    result: ({ rse: name }) => testIt(name),
  }),
  'add-protocol': task({
    about: 'A protocol is a way to the files of an RSE: a server, and a folder on it.',
    button: 'Add the protocol',
    fields: [rse, ...protocolFields],
    effect: ({ rse: name, scheme, hostname, port, prefix }) => (
      <p>
        The files of <bdi class="name">{name}</bdi> are also reached below{' '}
        <bdi class="name">{urlOf({ scheme, hostname, port, prefix })}</bdi>, by <code>{implementationOf(scheme)}</code>.
      </p>
    ),
    Preview: ({ values }) => <PresentPaths rse={values.rse} />,
    requests: ({ rse: name, ...protocol }) => [addProtocol(name, protocol)],
    rucio: ({ rse: name, ...protocol }) => [protocolCommand(name, protocol)],
    result: ({ rse: name }) => testIt(name),
  }),
  'remove-protocol': task({
    about: 'Files are no longer reached by the protocol; they stay where they are.',
    button: 'Remove the protocol',
    fields: [
      rse,
      { name: 'scheme', label: 'Scheme', required: true, placeholder: 'davs' },
      { name: 'hostname', label: 'Host', required: true, placeholder: 'storage.example.org' },
      { name: 'port', label: 'Port', kind: 'number', required: true, placeholder: '443' },
    ],
    effect: ({ rse: name, scheme, hostname, port }) => (
      <p>
        URLs of <bdi class="name">{name}</bdi> below{' '}
        <bdi class="name">
          {scheme}://{hostname}:{port}
        </bdi>{' '}
        are given to nobody any more. Without another protocol nothing can be read, copied or deleted there.
      </p>
    ),
    requests: ({ rse: name, scheme, hostname, port }) => [
      prepare(
        'DELETE',
        path('/rses/:rse/protocols/:scheme/:hostname/:port', { rse: name.trim(), scheme, hostname, port }),
      ),
    ],
    rucio: ({ rse: name, scheme, hostname, port }) => [
      `rucio rse protocol remove ${shellWord(name)} --scheme ${shellWord(scheme)} --hostname ${shellWord(hostname)} --port ${port}`,
    ],
    result: ({ rse: name }) => show(name),
  }),
  'edit-rse': task({
    about: 'An RSE that may not be written to takes no new copies; one that may not be read is no source.',
    button: 'Change the RSE',
    fields: [
      rse,
      { name: 'read', label: 'Reading', choices: asItIs },
      { name: 'write', label: 'Writing', choices: asItIs },
      { name: 'delete', label: 'Deleting', choices: asItIs },
    ],
    effect: ({ rse: name, ...may }) => (
      <p>
        <bdi class="name">{name}</bdi>:{' '}
        {operations
          .flatMap((one) => (may[one] === '' ? [] : [`${may[one] === 'yes' ? 'may' : 'may not'} ${one}`]))
          .join(', ') || 'nothing changes'}
        . Copies under way to an RSE that may not be written to wait.
      </p>
    ),
    requests: ({ rse: name, ...may }) => {
      const changes = operations.flatMap((one) =>
        may[one] === '' ? [] : [[`availability_${one}`, may[one] === 'yes']],
      );
      if (changes.length === 0) return [];
      return [
        prepare(
          'PUT',
          path('/rses/:rse', { rse: name.trim() }),
          Object.fromEntries(changes) as Record<string, boolean>,
        ),
      ];
    },
    rucio: ({ rse: name, ...may }) =>
      operations.flatMap((one) =>
        may[one] === ''
          ? []
          : [
              `rucio rse update ${shellWord(name)} --key availability_${one} --value ${may[one] === 'yes' ? 'True' : 'False'}`,
            ],
      ),
    result: ({ rse: name }) => show(name),
  }),
  'delete-rse': task({
    about: 'Only an RSE without replicas can be deleted.',
    button: 'Delete the RSE',
    fields: [rse],
    effect: ({ rse: name }) => (
      <p>
        <bdi class="name">{name}</bdi> is in no list and no expression any more, and its name cannot be used again. The
        storage itself stays as it is. This cannot be undone.
      </p>
    ),
    requests: ({ rse: name }) => [prepare('DELETE', path('/rses/:rse', { rse: name.trim() }))],
    rucio: ({ rse: name }) => [`rucio rse remove ${shellWord(name)}`],
    result: () => ['Show the RSEs', placeUrl(['rses'])],
  }),
  ...rseProperties,
};
export default rses;

type Protocol = Parameters<typeof protocolBody>[0];

function addProtocol(name: string, protocol: Protocol): PreparedRequest {
  const target = path('/rses/:rse/protocols/:scheme', { rse: name.trim(), scheme: protocol.scheme });
  return prepare('POST', target, protocolBody(protocol));
}

function protocolCommand(name: string, protocol: Protocol): string {
  const { hostname, port, prefix, impl, domains } = protocolBody(protocol);
  return `rucio rse protocol add ${shellWord(name)} --scheme ${protocol.scheme} --hostname ${shellWord(hostname)} --port ${port} --prefix ${shellWord(prefix)} --impl ${impl} --domain-json ${shellWord(JSON.stringify(domains))}`;
}

/** The lines `key=value` of a text. */
function pairsOf(text: string): readonly (readonly [key: string, value: string])[] {
  return linesOf(text).map((line) => {
    const at = line.indexOf('=');
    return at < 0 ? [line, 'true'] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
}

/** The URLs that a file has on an RSE now. */
function PresentPaths({ rse: name }: { rse: string }) {
  const target = path('/rses/:rse/lfns2pfns', { rse: name });
  const { value, error, reload } = useLoad(`paths ${name}`, (signal) =>
    getJson(target, { query: { lfn: 'some.scope:some.file' }, signal }).catch(() => ({})),
  );
  const urls = Object.values(value ?? {});
  return (
    <>
      <Pending of={{ value, error, reload }} />
      {urls.length > 0 && (
        <p class="hint">
          Now a file some.scope:some.file would be written to <bdi class="name">{urls.join(', ')}</bdi>.
        </p>
      )}
    </>
  );
}
