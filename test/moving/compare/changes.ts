/** A request, and its body. */
export type Request = readonly [method: string, path: string, body?: unknown];

/** A change of one thing on the right server, and everything that a comparison finds because of it. */
interface SeededChange {
  readonly what: string;
  readonly requests: readonly Request[];
  readonly found: readonly string[];
}

const dated = '/dids/mv.odd/dated.dataset';

const rows: readonly (readonly [what: string, requests: readonly Request[], found: readonly string[]])[] = [
  [
    'an e-mail address',
    [['PUT', '/accounts/mvbob', { email: 'other@example.org' }]],
    ['accounts different mvbob email updated_at'],
  ],
  [
    'an attribute of an account',
    [['POST', '/accounts/mvbob/attr/colour', { value: 'red' }]],
    ['accounts different mvbob attribute colour email updated_at'],
  ],
  [
    'an identity',
    [['POST', '/accounts/mvbob/identities', { identity: 'bob@X', authtype: 'GSS', email: 'bob@example.org' }]],
    ['identities right mvbob GSS bob@X'],
  ],
  [
    'a limit',
    [['POST', '/accountlimits/local/mvbob/MV-DISK-0', { bytes: 7 }]],
    ['limits different mvbob local MV-DISK-0 bytes', 'usage different mvbob MV-DISK-0 bytes_limit bytes_remaining'],
  ],
  ['a scope', [['POST', '/accounts/mvbob/scopes/mv.new']], ['scopes right mv.new']],
  ['a setting of an RSE', [['PUT', '/rses/MV-TAPE', { city: 'Elsewhere' }]], ['rses different MV-TAPE attribute city']],
  [
    'an attribute of an RSE',
    [['POST', '/rses/MV-NONDET/attr/colour', { value: 'red' }]],
    ['rses different MV-NONDET attribute colour'],
  ],
  [
    'a limit of an RSE',
    [['PUT', '/rses/MV-DISK-0/limits', { name: 'MinFreeSpace', value: 5 }]],
    ['rses different MV-DISK-0 limit MinFreeSpace'],
  ],
  [
    'the usage of an RSE',
    [['PUT', '/rses/MV-TAPE/usage', { source: 'storage', used: 1, free: 2 }]],
    ['rse-usage different MV-TAPE storage free total used'],
  ],
  [
    'a distance',
    [['PUT', '/rses/MV-DISK-0/distances/MV-DISK-1', { distance: 99 }]],
    ['distances different MV-DISK-0 -> MV-DISK-1 distance'],
  ],
  [
    'an option',
    [['POST', '/config', { 'moving-section': { plain: 'changed' } }]],
    ['config different moving-section plain value'],
  ],
  [
    'a subscription',
    [['PUT', '/subscriptions/mvalice/moving-second', { options: { comments: 'changed' } }]],
    ['subscriptions different mvalice moving-second comments'],
  ],
  ['a DID', [['POST', '/dids/mv.user.bob/new', { type: 'CONTAINER' }]], ['dids right mv.user.bob:new']],
  [
    'the state of a DID',
    [['PUT', '/dids/mv.odd/rules.ok/status', { open: false }]],
    ['dids different mv.odd:rules.ok closed_at events is_open updated_at'],
  ],
  [
    'a column of metadata',
    [['POST', `${dated}/meta`, { meta: { campaign: 'other' } }]],
    ['dids different mv.odd:dated.dataset campaign updated_at'],
  ],
  [
    'free metadata',
    [['POST', `${dated}/meta`, { meta: { count: 43 } }]],
    ['metadata different mv.odd:dated.dataset count'],
  ],
  [
    'content',
    [['DELETE', '/dids/mv.odd/a.container/dids', { dids: [{ scope: 'mv.odd', name: 'rules.ok' }] }]],
    [
      'dids different mv.odd:a.container bytes length updated_at',
      'contents left mv.odd:a.container -> mv.odd:rules.ok',
    ],
  ],
  [
    'content of an archive',
    [
      [
        'POST',
        '/dids/mv.odd/archive.zip/dids',
        { dids: [{ scope: 'mv.odd', name: 'constituent.4', bytes: 4, adler32: '0cc737eb', type: 'FILE' }] },
      ],
    ],
    [
      'dids different mv.odd:archive.zip updated_at',
      'dids right mv.odd:constituent.4',
      'contents right mv.odd:archive.zip -> mv.odd:constituent.4',
      'replicas right mv.odd:constituent.4 @ MV-DISK-1',
    ],
  ],
  [
    'the state of a replica',
    [['PUT', '/replicas', { rse: 'MV-DISK-0', files: [{ scope: 'mv.odd', name: 'states/file.8', state: 'U' }] }]],
    ['replicas different mv.odd:states/file.8 @ MV-DISK-0 state'],
  ],

  [
    'a rule',
    [
      [
        'POST',
        '/rules',
        {
          dids: [{ scope: 'mv.odd', name: 'odd.names' }],
          account: 'mvbob',
          copies: 1,
          rse_expression: 'MV-DISK-2',
          grouping: 'DATASET',
        },
      ],
    ],
    ['rules right mv.odd:odd.names mvbob 1 of MV-DISK-2'],
  ],
  [
    'the state of a lock',
    [['PUT', '/replicas', { rse: 'MV-DISK-2', files: [{ scope: 'mv.odd', name: 'states/file.1', state: 'A' }] }]],
    [
      'replicas different mv.odd:states/file.1 @ MV-DISK-2 state',
      'rules different mv.odd:rules.inject mvalice 1 of MV-DISK-2 locks_ok_cnt locks_replicating_cnt state updated_at',
      'rules different mv.odd:rules.stuck mvalice 1 of MV-DISK-2 locks_ok_cnt locks_replicating_cnt state updated_at',
      'locks different mv.odd:rules.inject mvalice 1 of MV-DISK-2: mv.odd:states/file.1 @ MV-DISK-2 state',
      'locks different mv.odd:rules.stuck mvalice 1 of MV-DISK-2: mv.odd:states/file.1 @ MV-DISK-2 state',
    ],
  ],
  [
    'a suspicious replica',
    [
      [
        'POST',
        '/replicas/suspicious',
        { pfns: ['davs://dav5.example.org:443/moving/any/where/1.root'], reason: 'slow' },
      ],
    ],
    ['bad-replicas right mv.odd:by-path.1 MV-NONDET SUSPICIOUS'],
  ],
  [
    'an exception to the lifetime model',
    [
      ['POST', '/dids/mv.odd/dated.dataset/meta', { meta: { eol_at: '2030-01-01' } }],
      ['POST', '/config', { lifetime_model: { cutoff_date: '2032-01-01' } }],
      [
        'POST',
        '/lifetime_exceptions/',
        {
          dids: [{ scope: 'mv.odd', name: 'dated.dataset', did_type: 'DATASET' }],
          pattern: '',
          comments: 'longer',
          expires_at: '2031-01-01T00:00:00.000000',
        },
      ],
    ],
    [
      'config right lifetime_model cutoff_date',
      'exceptions right mv.odd:dated.dataset root',
      'dids different mv.odd:dated.dataset campaign eol_at updated_at',
    ],
  ],
];

/** One change of each kind of thing. */
export const changes: readonly SeededChange[] = rows.map(([what, requests, found]) => ({ what, requests, found }));
