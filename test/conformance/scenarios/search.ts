import { as, collection, files, rse, scope, use } from '../steps.ts';
import type { Scenario } from '../types.ts';

const root = as('root');
const FAR_PAST = 'Sat, 01 Jan 2000 00:00:00 UTC';
const FAR_FUTURE = 'Fri, 01 Jan 2100 00:00:00 UTC';
const LIVE_SIZES = use(200, null, 'dids 6 #9: containers have sizes before they are closed');
const BAD_FILTER = use(400, 'DIDFilterSyntaxError', 'dids 3.6');

/** The query by `filters`, a Python literal as the official client sends it. */
function filters(literal: string, rest = ''): string {
  return `/dids/sea/dids/search?filters=${encodeURIComponent(literal)}${rest}`;
}

/** The query by plain parameters. */
function by(query: string): string {
  return `/dids/sea/dids/search?${query}`;
}

/** The search below one scope, in both query forms. */
export const search: Scenario = {
  name: 'search',
  about: 'GET /dids/{scope}/dids/search',
  steps: [
    scope('sea'),
    scope('sea2'),
    rse('SEA-DISK'),
    root.post('set up datasets', '/dids', [
      {
        scope: 'sea',
        name: 'raw.0001',
        type: 'DATASET',
        meta: { project: 'beam24', run_number: 1, shift: 'night', dose: 1.5, good: true },
      },
      {
        scope: 'sea',
        name: 'raw.0002',
        type: 'DATASET',
        meta: { project: 'beam24', run_number: 2, shift: 'day', dose: 3, good: false },
      },
      {
        scope: 'sea',
        name: 'cal.0001',
        type: 'DATASET',
        meta: { project: 'beam25', run_number: 3, shift: 'night' },
      },
      { scope: 'sea', name: 'with_underscore', type: 'DATASET' },
      { scope: 'sea2', name: 'raw.9999', type: 'DATASET', meta: { project: 'beam24' } },
    ]),
    collection('CONTAINER', 'sea', 'all.cont'),
    collection('CONTAINER', 'sea', 'raw.cont'),
    files('sea', 'raw.0001', 'SEA-DISK', ['f1', 'f2', 'f3']),
    root.post('set up raw.cont', '/dids/sea/raw.cont/dids', {
      dids: [
        { scope: 'sea', name: 'raw.0001' },
        { scope: 'sea2', name: 'raw.9999' },
      ],
    }),
    root.post('set up all.cont', '/dids/sea/all.cont/dids', {
      dids: [{ scope: 'sea', name: 'raw.cont' }],
    }),
    root.put('set up closed raw.0001', '/dids/sea/raw.0001/status', { open: false }),

    // by parameters
    root.get('everything', '/dids/sea/dids/search'),
    root.get('by name', by('name=raw.0001')),
    root.get('by name pattern', by('name=raw*')),
    root.get('pattern in the middle', by('name=r*w.*1')),
    root.get('percent as pattern', by('name=raw%25')),
    root.get('star alone', by('name=*')),
    root.get('underscore is literal', by('name=with_underscor*')),
    root.get('underscore matches nothing else', by('name=raw_0001')),
    root.get('question mark is literal', by('name=raw.000%3F')),
    root.get('case matters', by('name=RAW*')),
    root.get('unknown name', by('name=nothing')),
    root.get('unknown scope', '/dids/sea-none/dids/search?name=*'),
    root.get('type all', by('type=all')),
    root.get('type dataset', by('type=dataset')),
    root.get('type container', by('type=container')),
    root.get('type file', by('type=file')),
    root.get('type in capitals', by('type=FILE')),
    root.get('type collection', by('type=collection')),
    root.get('unknown type', by('type=datasets')),
    root.get('empty type', by('type=')),
    root.get('long form of datasets', by('long=True&type=dataset')),
    root.get('long form of a closed dataset', by('long=1&name=raw.0001')),
    root.get('long form of files', by('long=true&type=file')),
    root.get('long is no boolean', by('long=yes')),
    root.get('recursive is no boolean', by('recursive=2')),
    root.get('recursive from a container', by('name=all.cont&recursive=True')),
    root.get('recursive with type all', by('name=all.cont&recursive=True&type=all')),
    root.get('recursive in long form', by('name=raw.cont&recursive=True&type=all&long=True')),
    root.get('limit above', by('limit=100&type=file')),
    root.get('limit that is no number', by('limit=few&type=file')),
    root.get('limit 0', by('limit=0&type=file')),
    root.get('limit 1 of one', by('limit=1&name=raw.0001')),
    root.get('negative limit', by('limit=-1'), use(400, 'ValueError', 'dids 1.7')),
    root.get('first of repeated names', by('name=raw.0001&name=raw.0002')),
    root.get('by column', by('project=beam24')),
    root.get('by column with pattern', by('project=beam*')),
    root.get('by two columns', by('project=beam24&run_number=2')),
    root.get('by integer column greater', by('run_number.gt=1')),
    root.get('by integer column from and to', by('run_number.gte=2&run_number.lte=2')),
    root.get('by integer column less', by('run_number.lt=3')),
    root.get('by column not equal', by('project.ne=beam24')),
    root.get('by length of closed dataset', by('length=3'), LIVE_SIZES),
    root.get('by length greater', by('length.gt=2'), LIVE_SIZES),
    root.get('by length not reached', by('length.gt=3')),
    root.get('by bytes', by('bytes.gte=30'), LIVE_SIZES),
    root.get('by bytes of files', by('type=file&bytes=10')),
    root.get('created after', by(`created_after=${encodeURIComponent(FAR_PAST)}`)),
    root.get('created after, to come', by(`created_after=${encodeURIComponent(FAR_FUTURE)}`)),
    root.get('created before', by(`created_before=${encodeURIComponent(FAR_FUTURE)}`)),
    root.get('created before, in ISO form', by('created_before=2100-01-01T00:00:00')),
    root.get('created before, by hand', by('created_before=soon'), BAD_FILTER),
    root.get('created at from', by('created_at.gte=2000-01-01%2000:00:00')),
    root.get('by hidden', by('hidden=false')),
    root.get('by unknown key', by('colour=red')),
    root.get('by lifetime', by('lifetime=1')),
    root.get('unknown operator', by('run_number.like=1'), use(404, 'KeyNotFound', 'dids 6 #11')),
    root.get('two operators', by('run_number.gt.lt=1')),
    root.get('pattern with inequality', by('project.gt=beam*')),
    root.get('number for a name', by('name=12345'), use(200, null, 'dids 3.3')),
    root.get('text for an integer', by('run_number=many'), BAD_FILTER),
    root.get('by free text', by('shift=night')),
    root.get('by free text with pattern', by('shift=ni*')),
    root.get('by free number', by('dose=1.5')),
    root.get('by free number greater', by('dose.gt=1')),
    root.get('by free boolean', by('good=true')),
    root.get('by free text not equal', by('shift.ne=night')),
    root.get('by free text and name', by('shift=night&name=raw*')),
    root.get('by free key in long form', by('shift=day&long=True'), use(200, null, 'dids 3.5')),
    root.get('by free key and column', by('shift=night&project=beam24'), use(200, null, 'dids 3.2')),
    root.get('by free key, recursive', by('shift=night&recursive=True'), use(200, null, 'dids 3.5')),
    root.get('json Accept', by('name=*'), { headers: { Accept: 'application/json' } }),
    as('none').get('no token', by('name=*'), use(401, 'CannotAuthenticate', 'dids 6 #1')),

    // by Python literal
    root.get('literal: list of one', filters("[{'name': 'raw*'}]", '&long=False&recursive=False&type=collection')),
    root.get('literal: dictionary', filters("{'name': 'raw.0002'}")),
    root.get('literal: everything', filters('[{}]')),
    root.get('literal: two groups', filters("[{'name': 'raw.0001'}, {'name': 'cal*'}]")),
    root.get('literal: several keys', filters("[{'project': 'beam24', 'run_number.gte': 2}]")),
    root.get('literal: double quotes', filters('[{"project": "beam25"}]')),
    root.get(
      'literal: date',
      filters(`[{'created_after': '${FAR_PAST}', 'created_before': '${FAR_FUTURE}', 'name': 'cal*'}]`),
    ),
    root.get('literal: boolean', filters("[{'hidden': False, 'name': 'cal*'}]")),
    root.get('literal: None', filters("[{'project': None}]", '&type=dataset')),
    root.get('literal: type in a group', filters("[{'name': '*', 'type': 'file'}]", '&type=dataset')),
    root.get('literal: text with escapes', filters("[{'name': 'raw\\u002e0001'}]")),
    root.get('literal: tuple', filters("({'name': 'raw.0001'},)")),
    root.get('literal: other keys are ignored', filters("[{'name': 'raw.0001'}]", '&name=cal*')),
    root.get('literal: free key', filters("[{'shift': 'night'}]")),
    root.get('literal: two free keys', filters("[{'shift': 'night', 'dose': 1.5}]")),
    root.get('literal: free keys or', filters("[{'shift': 'day'}, {'dose.lt': 2}]")),
    root.get('literal: unknown free key', filters("[{'colour': 'red'}]")),
    root.get(
      'literal: free key and column in two groups',
      filters("[{'shift': 'day'}, {'project': 'beam25'}]"),
      use(200, null, 'dids 3.2'),
    ),
    root.get('literal: unparsable', filters('[{name: raw}]'), BAD_FILTER),
    root.get('literal: empty text', filters(''), { compare: 'status' }),
    root.get('search_extended', '/dids/sea/dids/search_extended?name=raw.0001', use(200, null, 'dids 6 #10')),
    root.post('wrong method', '/dids/sea/dids/search', {}, { compare: 'status' }),
  ],
};
