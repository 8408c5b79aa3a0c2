import { account, as, collection, files, rse, scope, type StepOptions, use } from '../steps.ts';
import type { JsonValue, Scenario, Step } from '../types.ts';

const root = as('root');
const alice = as('rlc-alice');
const UNKNOWN = '0123456789abcdef0123456789abcdef';

const SECTION = 'replication 2';
const BAD_ID = use(400, 'RucioException', 'replication 2.5');
const BAD_QUERY = use(400, 'InvalidObject', 'replication 2.1');
const DENIED = use(401, 'AccessDenied', 'replication 0.3');
const CONFLICT = use(409, 'UnsupportedOperation', 'replication 2.5');

/** Makes a rule and keeps its id. */
function rule(
  variable: string,
  name: string,
  expression: string,
  more: { [key: string]: JsonValue } = {},
  actor = root,
): Step {
  const body = { dids: [{ scope: 'rlc', name }], account: null, copies: 1, rse_expression: expression, ...more };
  return actor.post(`set up rule ${variable}`, '/rules/', body, { save: { [variable]: '0' } });
}

const put = (name: string, variable: string, options: JsonValue, more: StepOptions = {}) =>
  root.put(`update ${name}`, `/rules/{{${variable}}}`, { options }, more);
const show = (name: string, variable: string) => root.get(`show ${name}`, `/rules/{{${variable}}}`);
const list = (name: string, query: string, options: StepOptions = {}) =>
  root.get(`list ${name}`, `/rules/?${query}`, options);

/** The life of rules; what Rucio's daemons do is left out, and approval, for which Rucio needs templates of mails. */
export const ruleLife: Scenario = {
  name: 'rule-life',
  about: 'GET /rules/ and everything below /rules/{id} and /locks',
  steps: [
    ...account('rlc-alice'),
    scope('rlc'),
    rse('RLC_A'),
    rse('RLC_B'),
    root.post('limit of root on A', '/accounts/root/limits/local/RLC_A', { bytes: -1 }),
    root.post('limit of root on B', '/accounts/root/limits/local/RLC_B', { bytes: -1 }),
    root.post('limit of alice on A', '/accounts/rlc-alice/limits/local/RLC_A', { bytes: -1 }),
    collection('DATASET', 'rlc', 'ds'),
    collection('DATASET', 'rlc', 'other'),
    collection('CONTAINER', 'rlc', 'cont'),
    files('rlc', 'ds', 'RLC_A', ['f1', 'f2']),
    files('rlc', 'other', 'RLC_A', ['g1']),
    root.post('attach datasets', '/dids/rlc/cont/dids', { dids: [{ scope: 'rlc', name: 'ds' }] }),
    root.put('close the other dataset', '/dids/rlc/other/status', { open: false }),

    rule('ok', 'ds', 'RLC_A', { comment: 'first', meta: '{"a":1}', purge_replicas: true }),
    rule('busy', 'ds', 'RLC_B', { grouping: 'ALL', notify: 'C', priority: 4, activity: 'Staging' }),
    rule('none', 'other', 'RLC_A|RLC_B', { copies: 2, grouping: 'NONE', locked: true }),
    rule('closed', 'other', 'RLC_A'),
    rule('own', 'other', 'RLC_A', { lifetime: 86_400 }, alice),
    rule('file', 'f1', 'RLC_A'),

    show('an OK rule', 'ok'),
    show('a replicating rule', 'busy'),
    root.get('show an unknown rule', `/rules/${UNKNOWN}`),
    root.get('show no id', '/rules/x1', BAD_ID),
    root.get('rules without slash', '/rules?scope=rlc', use(200, null, 'replication 0.1')),

    list('a scope', 'scope=rlc'),
    list('a DID', 'scope=rlc&name=other'),
    list('an account', 'account=rlc-alice'),
    list('accounts with a wildcard', 'account=rlc-*'),
    list('scopes with a wildcard', 'scope=rl*&account=root&name=f1'),
    list('a state', 'scope=rlc&state=R'),
    list('a state by name', 'scope=rlc&state=REPLICATING', use(200, null, 'replication 2.1')),
    list('a bad state', 'state=X', BAD_QUERY),
    list('a type', 'scope=rlc&did_type=F'),
    list('a grouping', 'scope=rlc&grouping=N'),
    list('an activity', 'scope=rlc&activity=Staging'),
    list('an expression', 'scope=rlc&rse_expression=RLC_B'),
    list('copies', 'scope=rlc&copies=2', use(200, null, 'replication 2.1')),
    list('rules made before', 'scope=rlc&created_before=Sat%2C%2001%20Jan%202000%2000%3A00%3A00%20UTC'),
    list('rules made after', 'scope=rlc&name=f1&created_after=Sat%2C%2001%20Jan%202000%2000%3A00%3A00%20UTC'),
    list('an unknown field', 'colour=red', BAD_QUERY),
    list('nothing', 'scope=rlcnone'),
    root.get('rules of an account', '/accounts/rlc-alice/rules'),
    root.get('rules of an unknown account', '/accounts/rlc-nobody/rules'),
    root.get('rules of a DID', '/dids/rlc/ds/rules'),
    root.get('associated rules', '/dids/rlc/f1/associated_rules'),

    root.get('locks of a rule', '/rules/{{busy}}/locks'),
    root.get('locks of an unknown rule', `/rules/${UNKNOWN}/locks`),
    root.get('analysis of an OK rule', '/rules/{{ok}}/analysis'),
    root.get('analysis of a replicating rule', '/rules/{{busy}}/analysis'),
    root.get('analysis of an unknown rule', `/rules/${UNKNOWN}/analysis`, use(404, 'RuleNotFound', SECTION)),
    root.get('history of a DID', '/rules/rlc/ds/history'),
    root.get(
      'history of an unknown DID',
      '/rules/rlc/nothing/history',
      use(404, 'DataIdentifierNotFound', 'replication 2.10'),
    ),
    root.get('history of a rule', '/rules/{{ok}}/history', use(200, null, 'replication 2.1')),

    root.get('dataset locks', '/locks/rlc/ds?did_type=dataset'),
    root.get('dataset locks of a closed dataset', '/locks/rlc/other?did_type=dataset'),
    root.get('dataset locks of a file', '/locks/rlc/f1?did_type=dataset'),
    root.get('dataset locks without a type', '/locks/rlc/ds', use(400, 'ValueError', 'replication 4')),
    root.get('dataset locks on an RSE', '/locks/RLC_A?did_type=dataset'),
    root.get('dataset locks on an unknown RSE', '/locks/RLC_NONE?did_type=dataset'),
    root.post('dataset locks of many', '/locks/bulk_locks_for_dids', {
      dids: [
        { scope: 'rlc', name: 'cont' },
        { scope: 'rlc', name: 'ds', type: 'dataset' },
        { scope: 'rlc', name: 'nothing' },
      ],
    }),
    root.post('dataset locks of a file among many', '/locks/bulk_locks_for_dids', {
      dids: [{ scope: 'rlc', name: 'f1' }],
    }),
    root.post('dataset locks of an unknown type', '/locks/bulk_locks_for_dids', {
      dids: [{ scope: 'rlc', name: 'f1', type: 'FILE' }],
    }),
    root.post('dataset locks of nothing', '/locks/bulk_locks_for_dids', {}, use(400, 'KeyError', 'replication 4')),

    put('the comment', 'file', { comment: 'new' }),
    put('the lifetime', 'file', { lifetime: 3600 }),
    put('to live for ever', 'file', { lifetime: null }),
    put('the priority', 'file', { priority: 5 }),
    put('the source', 'file', { source_replica_expression: 'RLC_B' }),
    put('the metadata', 'file', { meta: 'text' }),
    put('the activity', 'file', { activity: 'Express' }),
    put('the lock', 'file', { locked: true }),
    put('to no state that there is', 'file', { state: 'rejoicing' }),
    show('an updated rule', 'file'),
    put('an unknown option', 'file', { colour: 'red' }),
    root.put('update without options', '/rules/{{file}}', {}),
    root.put('update an unknown rule', `/rules/${UNKNOWN}`, { options: { comment: 'x' } }),
    put('to an unknown account', 'file', { account: 'rlc-nobody' }),
    put('to have no child', 'file', { child_rule_id: null }),
    put('to be a child of itself', 'file', { child_rule_id: '{{file}}' }),
    put('to have a child elsewhere', 'file', { child_rule_id: '{{ok}}' }),
    put('to have a child that is OK', 'busy', { child_rule_id: '{{ok}}' }),
    show('a rule without a child', 'busy'),
    put('to approve what needs none', 'ok', { approve: true }),
    put('to deny what needs no approval', 'ok', { approve: false }),
    put('the account', 'own', { account: 'root', comment: 'taken' }, use(409, 'DuplicateRule', SECTION)),
    put('to be suspended', 'busy', { state: 'SUSPENDED' }),
    show('a suspended rule', 'busy'),
    root.get('analysis of a suspended rule', '/rules/{{busy}}/analysis'),
    alice.put('update as somebody', '/rules/{{ok}}', { options: { comment: 'x' } }),
    alice.put('update an own rule', '/rules/{{own}}', { options: { comment: 'x' } }, use(200, null, 'replication 6.2')),
    alice.put('approve as somebody', '/rules/{{ok}}', { options: { approve: true } }),

    root.delete('delete a locked rule', '/rules/{{file}}', { purge_replicas: null }, CONFLICT),
    put('no lock', 'file', { locked: false }),
    root.delete('delete a rule', '/rules/{{file}}', { purge_replicas: true }),
    root.delete('delete a rule again', '/rules/{{file}}', { purge_replicas: null }),
    show('a deleted rule', 'file'),
    root.delete('delete an unknown rule', `/rules/${UNKNOWN}`, { purge_replicas: null }),
    root.delete('delete no id', '/rules/x1', { purge_replicas: null }, BAD_ID),
    alice.delete('delete as somebody', '/rules/{{ok}}', { purge_replicas: null }),

    root.post('move without expression', '/rules/{{ok}}/move', {}),
    root.post('move an unknown rule', `/rules/${UNKNOWN}/move`, { rse_expression: 'RLC_B' }),
    root.post(
      'move with an unknown override',
      '/rules/{{closed}}/move',
      { rse_expression: 'RLC_B', override: { colour: 'red' } },
      CONFLICT,
    ),
    root.post('move', '/rules/{{closed}}/move', { rse_expression: 'RLC_B' }, { save: { child: '' } }),
    show('a parent', 'closed'),
    show('a child', 'child'),
    root.post('move a parent', '/rules/{{closed}}/move', { rse_expression: 'RLC_B' }),
    root.delete('delete a parent', '/rules/{{closed}}', { purge_replicas: null }, CONFLICT),
    put('to let the child go', 'closed', { child_rule_id: null }),
    show('a former parent', 'closed'),
    alice.post('move as somebody', '/rules/{{ok}}/move', { rse_expression: 'RLC_B' }, DENIED),

    root.post('reduce to as many', '/rules/{{none}}/reduce', { copies: 2 }),
    root.post('reduce what is not OK', '/rules/{{none}}/reduce', { copies: 1 }),
    root.post('reduce without copies', '/rules/{{none}}/reduce', {}),
    root.post('reduce an unknown rule', `/rules/${UNKNOWN}/reduce`, { copies: 1 }),
    alice.post('reduce as somebody', '/rules/{{ok}}/reduce', { copies: 1 }, DENIED),
    root.put('bring the second copy', '/replicas', {
      rse: 'RLC_B',
      files: [{ scope: 'rlc', name: 'g1', state: 'A' }],
    }),
    root.post(
      'reduce a locked rule',
      '/rules/{{none}}/reduce',
      { copies: 1 },
      use(409, 'UnsupportedOperation', SECTION),
    ),
    put('no lock on what is to be reduced', 'none', { locked: false }),
    root.post('reduce', '/rules/{{none}}/reduce', { copies: 1, exclude_expression: 'RLC_B' }, use(200, null, SECTION)),
    root.get('show what was reduced', '/rules/{{none}}'),
    root.get('history of a DID with a rule that is gone', '/rules/rlc/other/history', { compare: 'keys' }),
  ],
};
