import type { Maker } from './maker.ts';
import type { Attempt, Row, Who } from './row.ts';

/** Callers that may name an object of another account in a field; or why the field does not matter. */
export type NamedRows = Readonly<Record<string, Row | readonly Row[] | string>>;

const checked = { bytes: 10, adler32: '0cc737eb' };

const row = (who: Who, attempt: (make: Maker) => Promise<Attempt> | Attempt, more: Partial<Row> = {}): Row => ({
  who,
  attempt,
  ...more,
});

/** Requests that attach, by operation, with the children and the RSE of their registration. */
const attaching = {
  attachDids: async ({ scope, dataset }: Maker, dids: readonly object[], rse?: string) => ({
    path: `/dids/${scope}/${await dataset()}/dids`,
    body: { dids, ...(rse === undefined ? {} : { rse }) },
  }),
  attachDidsToDids: async ({ scope, dataset }: Maker, dids: readonly object[], rse?: string) => ({
    path: '/dids/attachments',
    body: [{ scope, name: await dataset(), dids, ...(rse === undefined ? {} : { rse }) }],
  }),
  addDid: ({ scope, name }: Maker, dids: readonly object[], rse?: string) => ({
    path: `/dids/${scope}/${name()}`,
    body: { type: 'DATASET', dids, ...(rse === undefined ? {} : { rse }) },
  }),
  addDids: ({ scope, name }: Maker, dids: readonly object[], rse?: string) => ({
    path: '/dids',
    body: [{ scope, name: name(), type: 'DATASET', dids, ...(rse === undefined ? {} : { rse }) }],
  }),
} as const;

type Attaching = keyof typeof attaching;

/** A file of another account may be attached, but not created or given a replica. */
const fileOfSomebody = (operation: Attaching): Row[] => [
  row('owner', async (make) => attaching[operation](make, [{ scope: make.foreign, name: await make.foreignFile() }])),
  row('admin', async (make) => {
    const name = make.name();
    const request = await attaching[operation](make, [{ scope: make.foreign, name, ...checked }], make.rse);
    return { ...request, look: `/dids/${make.foreign}/${name}` };
  }),
  row('admin', async (make) => {
    const [name, rse] = [await make.foreignFile(), await make.newRse()];
    await make.as('post', `/accounts/${make.owner}/limits/local/${rse}`, { bytes: 1e12 });
    const request = await attaching[operation](make, [{ scope: make.foreign, name, ...checked }], rse);
    return { ...request, look: `/replicas/${make.foreign}/${name}` };
  }),
];

/** An RSE without a limit for the owner of the scope. */
const rseOfSomebody = (operation: Attaching): Row =>
  row('admin', async (make) => {
    const name = make.name();
    const request = await attaching[operation](make, [{ scope: make.scope, name, ...checked }], await make.newRse());
    return { ...request, look: `/dids/${make.scope}/${name}` };
  });

const placeOfSomebody = (operation: Attaching): Row =>
  row('admin', async (make) => {
    const rse = make.rseName();
    await make.as('post', `/rses/${rse}`, { deterministic: false });
    const name = await make.file();
    const file = { scope: make.scope, name, ...checked, pfn: `/x/${name}` };
    const protocol = { hostname: 'h', port: 1, impl: 'rucio.rse.protocols.posix.Default', prefix: '/x' };
    const domains = { lan: { read: 1, write: 1, delete: 1 }, wan: { read: 1, write: 1, delete: 1 } };
    await make.as('post', `/rses/${rse}/protocols/file`, { ...protocol, domains });
    const request = await attaching[operation](make, [{ ...file, pfn: `file://h:1/x/${name}` }], rse);
    return { ...request, look: `/replicas/${make.scope}/${name}` };
  });

/** A rule in the creation of a DID. */
const inlineRule = (operation: 'addDid' | 'addDids', who: Who, rule: (make: Maker) => object): Row =>
  row(who, (make) => {
    const [name, rules] = [make.name(), [{ copies: 1, rse_expression: make.rse, ...rule(make) }]];
    const path = `/dids/${make.scope}/${name}`;
    return operation === 'addDid'
      ? { path, body: { type: 'DATASET', rules }, look: path }
      : { path: '/dids', body: [{ scope: make.scope, name, type: 'DATASET', rules }], look: path };
  });

const newRule = (who: Who, more: (make: Maker) => object): Row =>
  row(who, async (make) => {
    const dids = [{ scope: make.scope, name: await make.dataset() }];
    const body = { dids, account: make.owner, copies: 1, rse_expression: make.rse, ...more(make) };
    return { path: '/rules', body, look: `/dids/${make.scope}/${dids[0]?.name}/rules` };
  });

const quotasDecide =
  'any RSE may be asked for: limits of accounts decide what a rule gets (test/blackbox/rules.test.ts)';
const countsOnly = 'the rule is counted with the rules of the subscription, which changes nothing of it, as in Rucio';
const sameFile = 'what `pfn` says counts where a replica is made: see `rse` and the scopes of the files';

const ofAttaching = (operation: Attaching, prefix: string): NamedRows => ({
  [`${operation} ${prefix}dids[].scope`]: fileOfSomebody(operation),
  [`${operation} ${prefix}rse`]: rseOfSomebody(operation),
  [`${operation} ${prefix}dids[].pfn`]: placeOfSomebody(operation),
});

const ofInlineRules = (operation: 'addDid' | 'addDids', prefix: string): NamedRows => ({
  [`${operation} ${prefix}rules[].account`]: [
    inlineRule(operation, 'admin', () => ({ account: 'root' })),
    inlineRule(operation, 'admin', ({ owner }) => ({ account: owner, locked: true })),
  ],
  [`${operation} ${prefix}rules[].rse_expression`]: quotasDecide,
  [`${operation} ${prefix}rules[].subscription_id`]: countsOnly,
});

const otherForm = 'the other form of the same list, read by the same code';

/** Every field that may name an object of another account, of operations that others than administrators may call. */
export const namedRows: NamedRows = {
  ...ofAttaching('addDid', ''),
  ...ofInlineRules('addDid', ''),
  ...ofAttaching('addDids', '[].'),
  ...ofInlineRules('addDids', '[].'),
  'addDids [].scope': row('admin', (make) => {
    const did = { scope: make.foreign, name: make.name(), type: 'DATASET' };
    return { path: '/dids', body: [did], look: `/dids/${make.foreign}/${did.name}` };
  }),
  // As in Rucio: it gives no rights (docs/security.md).
  'addDids [].account': row('owner', (make) => {
    const did = { scope: make.scope, name: make.name(), type: 'DATASET', account: 'root' };
    return { path: '/dids', body: [did], look: `/dids/${make.scope}/${did.name}` };
  }),
  ...ofAttaching('attachDids', ''),
  'attachDids [].scope': otherForm,
  'attachDids [].pfn': otherForm,
  'attachDids scope': 'ignored: the path says what is filled',
  ...ofAttaching('attachDidsToDids', '[].'),
  'attachDidsToDids [].scope': row('admin', async (make) => {
    const name = make.name();
    await make.as('post', `/dids/${make.foreign}/${name}`, { type: 'DATASET' });
    const dids = [{ scope: make.scope, name: await make.file() }];
    const look = `/dids/${make.foreign}/${name}/dids`;
    return { path: '/dids/attachments', body: [{ scope: make.foreign, name, dids }], look };
  }),
  'attachDidsToDids attachments[].scope': otherForm,
  'attachDidsToDids attachments[].rse': otherForm,
  'attachDidsToDids attachments[].dids[].scope': otherForm,
  'attachDidsToDids attachments[].dids[].pfn': otherForm,
  'detachDids dids[].scope': row('owner', async (make) => {
    const path = `/dids/${make.scope}/${await make.dataset()}/dids`;
    const body = { dids: [{ scope: make.foreign, name: await make.foreignFile() }] };
    await make.as('post', path, body);
    return { path, body, look: path };
  }),
  'addDiracFiles lfns[].rse': row('admin', async ({ scope, name, newRse, rse, as }) => {
    const other = await newRse();
    await as('post', `/rses/${rse}/attr/ANY`, { value: 'true' });
    await as('post', `/accounts/root/limits/local/${other}`, { bytes: 1e12 });
    const lfn = `/${scope}/${scope}/${name()}/f`;
    const look = `/dids/${scope}/${encodeURIComponent(lfn)}`;
    return { path: '/dirac/addfiles', body: { lfns: [{ lfn, rse: other, ...checked }] }, look };
  }),
  'addDiracFiles lfns[].pfn': 'counts only on an RSE whose paths are not computed, where `rse` decides',
  'createSample input_scope': 'everybody may read every DID',
  'createSample output_scope': row('admin', async (make) => {
    const to = make.name();
    const input = { input_scope: make.foreign, input_name: await make.foreignFile() };
    const body = { ...input, output_scope: make.foreign, output_name: to, nbfiles: 1 };
    return { path: '/dids/sample', body, look: `/dids/${make.foreign}/${to}` };
  }),
  'setDidsMetadataBulk dids[].scope': row('admin', async (make) => {
    const [own, other] = [await make.file(), await make.foreignFile()];
    const dids = [
      { scope: make.scope, name: own, meta: { colour: 'red' } },
      { scope: make.foreign, name: other, meta: { colour: 'red' } },
    ];
    return { path: '/dids/bulkdidsmeta', body: { dids }, look: `/dids/${make.scope}/${own}/meta?plugin=ALL` };
  }),
  'follow account': 'anybody may make anybody follow a DID, as in Rucio; nobody is told anything by it',
  'unfollow account': row('admin', async (make) => {
    const path = `/dids/${make.scope}/${await make.dataset()}/follow`;
    await make.as('post', path, { account: 'root' });
    return { path, body: { account: 'root' }, look: path };
  }),

  'addReplicas files[].scope': row('admin', (make) => {
    const name = make.name();
    const body = { rse: make.rse, files: [{ scope: make.foreign, name, ...checked }] };
    return { path: '/replicas', body, look: `/dids/${make.foreign}/${name}` };
  }),
  'addReplicas rse': row('admin', async (make) => {
    const name = make.name();
    const body = { rse: await make.newRse(), files: [{ scope: make.scope, name, ...checked }] };
    return { path: '/replicas', body, look: `/dids/${make.scope}/${name}` };
  }),
  'addReplicas files[].pfn': sameFile,
  'updateReplicas files[].scope': row('admin', async (make) => {
    const name = await make.foreignFile();
    const body = { rse: make.rse, files: [{ scope: make.foreign, name, state: 'U' }] };
    return { path: '/replicas', body, look: `/replicas/${make.foreign}/${name}` };
  }),
  'updateReplicas rse': 'who may change a replica follows from its file and its registrar, on any RSE',
  'updateReplicas files[].path': 'of a replica that the caller may change',
  'declareSuspiciousReplicas pfns': 'everybody may suspect any replica; it changes nothing of it',
  'declareSuspiciousReplicas pfns[].scope': 'as by PFN',
  'declareSuspiciousReplicas pfns[].rse': 'as by PFN',
  'declareSuspiciousReplicas pfns[].rse_id': 'as by PFN',

  'addRules account': newRule('admin', () => ({ account: 'root' })),
  'addRules dids[].scope': row('owner', async (make) => {
    // Copies of data of another account, charged to the owner.
    const dids = [{ scope: make.foreign, name: await make.foreignFile() }];
    return { path: '/rules', body: { dids, account: make.owner, copies: 1, rse_expression: make.rse } };
  }),
  'addRules rse_expression': quotasDecide,
  'addRules subscription_id': countsOnly,
  'updateRule options.account': row('admin', async (make) => {
    const path = `/rules/${await make.rule()}`;
    return { path, body: { options: { account: 'root' } }, look: path };
  }),
  'updateRule options.child_rule_id': 'the rule waits for the other one, of which nothing changes',
  'reduceRule exclude_expression': 'says where copies are not to stay, of a rule that the caller may reduce',
  'moveRule override.account': row('admin', async (make) => {
    const [path, rse] = [`/rules/${await make.rule()}`, await make.newRse()];
    for (const account of ['root', make.owner]) {
      await make.as('post', `/accounts/${account}/limits/local/${rse}`, { bytes: 1_000 });
    }
    return { path: `${path}/move`, body: { rse_expression: rse, override: { account: 'root' } }, look: path };
  }),
  'moveRule rule_id': row('admin', async (make) => {
    const [path, rse] = [`/rules/${await make.ruleOfRoot()}`, await make.newRse()];
    await make.as('post', `/accounts/root/limits/local/${rse}`, { bytes: 1_000 });
    const own = await make.rule();
    const body = { rse_expression: rse, rule_id: path.slice('/rules/'.length) };
    return { path: `/rules/${own}/move`, body, look: path };
  }),
  'moveRule rse_expression': quotasDecide,
  'moveRule override.rse_expression': quotasDecide,
  'moveRule override.subscription_id': countsOnly,

  'addLifetimeExceptions dids[].scope': 'everybody may ask for an exception; administrators decide',
};
