import { account, as, collection, files, rse, scope, type StepOptions, use } from '../steps.ts';
import type { JsonValue, Scenario } from '../types.ts';

const root = as('root');
const alice = as('rul-alice');
const bob = as('rul-bob');

const limit = (who: string, rseName: string, bytes: number) =>
  root.post(`limit ${who} on ${rseName} to ${bytes}`, `/accounts/${who}/limits/local/${rseName}`, { bytes });
const attribute = (rseName: string, key: string, value: JsonValue) =>
  root.post(`set ${key} of ${rseName}`, `/rses/${rseName}/attr/${key}`, { value });

const wish = (name: string, more: { [key: string]: JsonValue } = {}) => ({
  dids: [{ scope: 'rul', name }],
  account: 'root',
  copies: 1,
  rse_expression: 'RUL_A',
  ...more,
});
const make = (name: string, body: JsonValue, options: StepOptions = {}) =>
  root.post(`make a rule ${name}`, '/rules/', body, options);
const show = (name: string, when = '', options: StepOptions = {}) =>
  root.get(`rules on ${name}${when}`, `/dids/rul/${name}/rules`, options);

const SPEC = 'replication 2.3';

/** Making rules: what is refused, in which order, and what becomes of a small rule at once. */
export const ruleCreation: Scenario = {
  name: 'rule-creation',
  about: 'POST /rules/, and the records of the new rules',
  steps: [
    ...account('rul-alice'),
    ...account('rul-bob'),
    scope('rul'),
    rse('RUL_A'),
    rse('RUL_B'),
    rse('RUL_C'),
    rse('RUL_FULL'),
    rse('RUL_CLOSED', { availability_write: false }),
    rse('RUL_STAGING', { staging_area: true }),
    rse('RUL_TAPE', { rse_type: 'TAPE' }),
    limit('root', 'RUL_A', 1_000),
    limit('root', 'RUL_B', 1_000),
    limit('root', 'RUL_FULL', 1_000),
    limit('root', 'RUL_TAPE', 1_000),
    attribute('RUL_A', 'weighty', '7'),
    attribute('RUL_B', 'weighty', 'heavy'),
    attribute('RUL_C', 'block_manual_approval', '1'),
    root.put('limit the space of RUL_FULL', '/rses/RUL_FULL/limits', { name: 'MaxSpaceAvailable', value: 5 }),
    collection('DATASET', 'rul', 'ds'),
    collection('DATASET', 'rul', 'empty'),
    collection('CONTAINER', 'rul', 'co'),
    files('rul', 'ds', 'RUL_A', ['f1', 'f2', 'f3']),
    root.post('fill the container', '/dids/rul/co/dids', { dids: [{ scope: 'rul', name: 'ds' }] }),

    make('without DIDs', { account: 'root', copies: 1, rse_expression: 'RUL_A' }),
    make('without account', { dids: [], copies: 1, rse_expression: 'RUL_A' }),
    make('without copies', { dids: [], account: 'root', rse_expression: 'RUL_A' }),
    make('without expression', { dids: [], account: 'root', copies: 1 }),
    make('with a list as body', []),
    make('with a bad boolean', wish('f1', { locked: 'maybe' })),
    make('with another type of copies', wish('f1', { copies: 'one' })),
    make('with an unknown grouping', wish('f1', { grouping: 'SOME' })),
    make('with an unknown activity', wish('f1', { activity: 'Sleeping' })),
    make('with an unknown notification', wish('f1', { notify: 'X' })),
    make('on nothing', { ...wish('f1'), dids: [] }),
    alice.post('make a rule for somebody else', '/rules/', wish('f1'), use(401, 'AccessDenied', 'replication 6')),
    make('for an unknown account', wish('f1', { account: 'rul-nobody' }), use(404, 'AccountNotFound', SPEC)),
    make('with no copies', wish('f1', { copies: 0 }), use(400, 'InvalidValueForKey', SPEC)),
    make('for an unknown account with too many copies', wish('f1', { account: 'rul-nobody', copies: 3 })),
    make('with a broken expression', wish('f1', { rse_expression: 'RUL_A|' }), { compare: 'class' }),
    make('with an expression of nothing', wish('f1', { rse_expression: 'RUL_NONE' })),
    make(
      'where nothing can be written',
      wish('f1', { rse_expression: 'RUL_CLOSED' }),
      use(409, 'RSEWriteBlocked', SPEC),
    ),
    make('on a staging area', wish('f1', { rse_expression: 'RUL_STAGING' })),
    make('that asks for approval where that is blocked', wish('f1', { rse_expression: 'RUL_C', ask_approval: true }), {
      compare: 'class',
      ...use(409, 'ManualRuleApprovalBlocked', SPEC),
    }),
    make('with a bad source', wish('f1', { source_replica_expression: 'RUL_NONE' }), {
      compare: 'class',
      ...use(409, 'InvalidSourceReplicaExpression', SPEC),
    }),
    make('with a weight that is no number', wish('f1', { rse_expression: 'RUL_B', weight: 'weighty' })),
    make('with an unknown weight', wish('f1', { weight: 'unknown' })),
    make('with more copies than RSEs', wish('f1', { rse_expression: 'RUL_A|RUL_B', copies: 3 })),
    make('with more copies than quota', wish('f1', { rse_expression: 'RUL_A|RUL_B|RUL_C', copies: 3 })),
    make('without quota', wish('f1', { rse_expression: 'RUL_C' })),
    make('on an unknown DID without quota', wish('none', { rse_expression: 'RUL_C' })),
    make('on an unknown DID', wish('none')),
    make('on a known and an unknown DID', {
      ...wish('f1'),
      dids: [
        { scope: 'rul', name: 'f1' },
        { scope: 'rul', name: 'no' },
      ],
    }),
    show('f1', ' that were refused'),
    make('on a full RSE', wish('f1', { rse_expression: 'RUL_FULL' }), use(409, 'RSEOverQuota', SPEC)),
    limit('root', 'RUL_B', 10),
    make('that would use up the quota', wish('f1', { rse_expression: 'RUL_B' })),
    limit('root', 'RUL_B', 11),
    make('that asks for approval on several RSEs', wish('f1', { rse_expression: 'RUL_A|RUL_B', ask_approval: true })),

    make('on a file that is there', wish('f1')),
    make('on it again', wish('f1')),
    make('on it again with another lifetime', wish('f1', { lifetime: 1_000, grouping: 'ALL' })),
    show('f1'),
    make(
      'on a file that is elsewhere',
      wish('f2', { rse_expression: 'RUL_B', comment: 'c', priority: 5, meta: '{"a":1}' }),
    ),
    show('f2'),
    limit('root', 'RUL_B', 2_000),
    make('on a dataset', wish('ds', { rse_expression: 'RUL_A|RUL_B', copies: 2, purge_replicas: true })),
    show('ds'),
    make('on a container', wish('co', { grouping: 'ALL', activity: 'Debug', notify: 'C' })),
    show('co'),
    make('on an empty dataset', wish('empty', { lifetime: 86_400, locked: true })),
    show('empty'),
    make('that is placed later', wish('f3', { asynchronous: true, rse_expression: 'RUL_A' })),
    // Rucio writes a mail, for which this server has no template.
    make(
      'that waits for approval',
      wish('f3', { ask_approval: true, rse_expression: 'RUL_B' }),
      use(201, null, 'replication 2.7'),
    ),
    make('on a tape', wish('f3', { rse_expression: 'RUL_TAPE', source_replica_expression: 'RUL_B' })),
    show('f3'),
    bob.post('make a rule as somebody without quota', '/rules/', wish('f1', { account: null })),
    root.post('make bob an admin', '/accounts/rul-bob/attr/admin', { key: 'admin', value: 'True' }),
    bob.post('make a rule without quota as admin', '/rules/', wish('f1', { account: null })),
    make(
      'on two DIDs',
      {
        ...wish('f1', { copies: 2, rse_expression: 'RUL_A|RUL_B' }),
        dids: [
          { scope: 'rul', name: 'f1' },
          { scope: 'rul', name: 'f2' },
        ],
      },
      { compare: 'status' },
    ),
    make('on the same DID twice', {
      ...wish('f3', { rse_expression: 'RUL_A|RUL_FULL' }),
      dids: [
        { scope: 'rul', name: 'f3' },
        { scope: 'rul', name: 'f3' },
      ],
    }),
    root.get('locks on a dataset', '/locks/rul/ds?did_type=dataset'),
  ],
};
