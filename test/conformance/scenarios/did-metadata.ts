import { account, as, collection, files, rse, scope, use } from '../steps.ts';
import type { JsonValue, Scenario } from '../types.ts';

/** Headers that the official client always sends; to others a GUID names a file. */
const AS_CLIENT = { headers: { 'X-Rucio-Script': 'conformance' } };
const root = as('root');
const alice = as('met-alice');
const GUID = '3e2e9a1e-5c8b-4f0e-9e7a-5b6c7d8e9f01';
const BAD_VALUE = use(400, 'InvalidValueForKey', 'dids 2.16');
const RESERVED = use(401, 'AccessDenied', 'dids 6 #25');

const value = (of: JsonValue, recursive?: JsonValue): JsonValue => ({
  value: of,
  ...(recursive === undefined ? {} : { recursive }),
});

/** Metadata of one DID: reading, setting and deleting. */
export const didMetadata: Scenario = {
  name: 'did-metadata',
  about: 'GET, POST, DELETE /dids/{scope}/{name}/meta and GET /dids/{guid}/guid',
  steps: [
    ...account('met-alice'),
    scope('met'),
    scope('met.alice', 'met-alice'),
    rse('MET-DISK'),
    collection('DATASET', 'met', 'ds'),
    collection('DATASET', 'met', 'plain'),
    collection('CONTAINER', 'met', 'cont'),
    files('met', 'ds', 'MET-DISK', ['f1', 'f2']),
    root.post('set up cont', '/dids/met/cont/dids', { dids: [{ scope: 'met', name: 'ds' }] }),
    root.post('set up owned dataset', '/dids/met.alice/ds', { type: 'DATASET' }),

    root.get('columns of a dataset', '/dids/met/ds/meta'),
    root.get('columns of a file', '/dids/met/f1/meta'),
    root.get('plugin in lower case', '/dids/met/ds/meta?plugin=did_column'),
    root.get('free metadata, none yet', '/dids/met/ds/meta?plugin=JSON'),
    root.get('unknown plugin', '/dids/met/ds/meta?plugin=MONGO'),
    root.get('columns of unknown DID', '/dids/met/nothing/meta'),
    root.get(
      'free metadata of unknown DID',
      '/dids/met/nothing/meta?plugin=JSON',
      use(404, 'DataIdentifierNotFound', 'dids 2.15'),
    ),
    root.get('all metadata of unknown DID', '/dids/met/nothing/meta?plugin=ALL'),
    root.get('one key cannot be read', '/dids/met/ds/meta/project'),
    root.get('stream Accept', '/dids/met/ds/meta', {
      headers: { Accept: 'application/x-json-stream' },
    }),

    root.post('set text column', '/dids/met/ds/meta/project', value('beam24')),
    root.post('set integer column', '/dids/met/ds/meta/run_number', value(7)),
    root.post('set integer column from text', '/dids/met/ds/meta/task_id', value('12')),
    root.post('set boolean column', '/dids/met/ds/meta/hidden', value(true)),
    root.post('clear column', '/dids/met/ds/meta/run_number', value(null)),
    root.post('set integer column to text', '/dids/met/ds/meta/run_number', value('many'), BAD_VALUE),
    root.post('set text column to overlong text', '/dids/met/ds/meta/provenance', value('abc'), BAD_VALUE),
    root.post('set lifetime', '/dids/met/ds/meta/lifetime', value(86400)),
    root.get('lifetime is seen in the DID', '/dids/met/ds'),
    root.post('clear lifetime', '/dids/met/ds/meta/lifetime', value(null)),
    root.post('set lifetime to numeric text', '/dids/met/ds/meta/lifetime', value('3600')),
    root.post('set lifetime to text', '/dids/met/ds/meta/lifetime', value('soon'), BAD_VALUE),
    root.post('set lifetime to a list', '/dids/met/ds/meta/lifetime', value([1])),
    root.post('set eol_at', '/dids/met/ds/meta/eol_at', value('2027-01-15')),
    root.post('set eol_at to text', '/dids/met/ds/meta/eol_at', value('soon'), BAD_VALUE),
    root.post('set guid of a file', '/dids/met/f1/meta/guid', value(GUID)),
    root.post(
      'set guid of a dataset',
      '/dids/met/ds/meta/guid',
      value(GUID),
      use(409, 'UnsupportedOperation', 'dids 2.16'),
    ),
    root.post('set events of a file', '/dids/met/f1/meta/events', value(5)),
    root.post(
      'set events of a dataset',
      '/dids/met/ds/meta/events',
      value(5),
      use(409, 'UnsupportedOperation', 'dids 2.16'),
    ),
    root.get('guid and events in files', '/dids/met/ds/files'),
    root.get('events of the dataset', '/dids/met/ds/meta'),
    root.post('set free text', '/dids/met/ds/meta/shift', value('night')),
    root.post('set free object', '/dids/met/ds/meta/beam', value({ energy: 6.5, unit: 'TeV' })),
    root.post('set free list', '/dids/met/ds/meta/tags', value(['a', 1, null])),
    root.post('set free null', '/dids/met/ds/meta/nothing', value(null)),
    root.post('overwrite free text', '/dids/met/ds/meta/shift', value('day')),
    root.get('free metadata', '/dids/met/ds/meta?plugin=JSON'),
    root.get('all metadata', '/dids/met/ds/meta?plugin=all'),
    root.post('set recursively', '/dids/met/cont/meta/campaign', value('c24', true)),
    root.get('direct child has it', '/dids/met/ds/meta'),
    root.get('grandchild has it not', '/dids/met/f2/meta'),
    root.post('recursive as text', '/dids/met/cont/meta/campaign', value('c25', 'true')),
    root.post('recursive is no boolean', '/dids/met/cont/meta/campaign', value('c26', 'deep')),
    root.post('key with a dot', '/dids/met/ds/meta/a.b', value(1)),
    root.post('key type', '/dids/met/ds/meta/type', value('FILE')),
    root.post('reserved key name', '/dids/met/ds/meta/name', value('x'), RESERVED),
    root.post('reserved key bytes', '/dids/met/f1/meta/bytes', value(1), RESERVED),
    root.post('reserved key expired_at', '/dids/met/ds/meta/expired_at', value(null), RESERVED),
    root.post('no value', '/dids/met/ds/meta/shift', {}),
    root.post('no body', '/dids/met/ds/meta/shift'),
    root.post('unknown DID', '/dids/met/nothing/meta/project', value('x')),
    root.post('free key of unknown DID', '/dids/met/nothing/meta/shift', value('x')),
    root.post('unknown scope', '/dids/met-none/ds/meta/project', value('x')),
    alice.post('own scope', '/dids/met.alice/ds/meta/shift', value('night')),
    alice.post('foreign scope', '/dids/met/ds/meta/shift', value('x'), RESERVED),
    alice.post('reserved key in foreign scope', '/dids/met/ds/meta/name', value('x'), RESERVED),

    root.post('set several', '/dids/met/plain/meta', {
      meta: { project: 'p', version: 'v1', colour: 'red', lifetime: 3600 },
    }),
    root.get('several set', '/dids/met/plain/meta?plugin=ALL'),
    root.post('set none', '/dids/met/plain/meta', { meta: {} }),
    root.post('set several recursively', '/dids/met/cont/meta', {
      meta: { datatype: 'AOD' },
      recursive: true,
    }),
    root.post('one of several is reserved', '/dids/met/plain/meta', { meta: { project: 'q', name: 'x' } }, RESERVED),
    root.post('one of several has a dot', '/dids/met/plain/meta', {
      meta: { project: 'q', 'a.b': 1 },
    }),
    root.get('refused ones change nothing', '/dids/met/plain/meta?plugin=ALL'),
    root.post('no key meta', '/dids/met/plain/meta', { project: 'p' }),
    root.post('meta is a list', '/dids/met/plain/meta', { meta: ['project'] }, { compare: 'status' }),
    root.post('several on unknown DID', '/dids/met/nothing/meta', { meta: { project: 'p' } }),
    alice.post('several in foreign scope', '/dids/met/plain/meta', { meta: { project: 'p' } }, RESERVED),

    root.delete('delete free key', '/dids/met/plain/meta?key=colour'),
    root.get('free metadata after deletion', '/dids/met/plain/meta?plugin=JSON'),
    root.delete('delete absent free key', '/dids/met/ds/meta?key=colour'),
    root.delete('delete without key', '/dids/met/ds/meta'),
    root.delete('delete a column', '/dids/met/ds/meta?key=project'),
    root.delete('delete on DID without free metadata', '/dids/met/cont/meta?key=colour'),
    root.delete('delete on unknown DID', '/dids/met/nothing/meta?key=colour'),
    root.delete('delete with key in path', '/dids/met/ds/meta/shift'),
    alice.delete('delete in foreign scope', '/dids/met/ds/meta?key=beam', undefined, RESERVED),

    root.get('datasets of a guid', `/dids/${GUID}/guid`, AS_CLIENT),
    root.get(
      'datasets of a guid without hyphens, in capitals',
      '/dids/3E2E9A1E5C8B4F0E9E7A5B6C7D8E9F01/guid',
      AS_CLIENT,
    ),
    root.get('unknown guid', '/dids/00000000000000000000000000000001/guid'),
    root.get('malformed guid', '/dids/xyz/guid', use(404, 'DataIdentifierNotFound', 'dids 2.20')),
  ],
};
