import { beforeAll, describe, expect, it } from 'vitest';

import { eventsOf } from '../../../lib/domain/events/events-of.ts';
import { insertDatasetLock } from '../../../lib/store/entities/dataset-lock.ts';
import { insertDid } from '../../../lib/store/entities/did.ts';
import { insertRule } from '../../../lib/store/entities/rule-writes.ts';
import type { Rule } from '../../../lib/store/entities/rule.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import type { TableChange } from '../../../lib/store/stream/change.ts';
import { newTestStore } from '../../support/store.ts';
import { at, changed, dataset, tell } from './changes.ts';

let store: Store;
beforeAll(async () => {
  store = await newTestStore();
});
const told = (...changes: TableChange[]) => tell(store, changes);

describe('notifications of rules', () => {
  const rule = (more: Partial<Rule>): Rule => ({
    id: 'q',
    did: { scope: 'data', name: 'kept' },
    didType: 'DATASET',
    account: 'alice',
    rseExpression: 'A',
    copies: 1,
    grouping: 'DATASET',
    status: 'ACTIVE',
    ok: 0,
    replicating: 10,
    stuck: 0,
    createdAt: at,
    updatedAt: at,
    activity: 'x',
    notification: 'YES',
    priority: 3,
    unsettled: [],
    ...more,
  });
  const missing = () => new Error('exists');
  const lockOk = { type: 'DATASETLOCK_OK', rse: 'r1', rse_id: 'r1', rule_id: 'q' };
  const types = async (change: TableChange) => (await told(change)).map(({ type }) => type);
  const finish = (more: Partial<Rule>) => changed('rule', rule(more), rule({ ok: 10, replicating: 0, ...more }));

  async function keep(name: string, open: boolean): Promise<void> {
    const { unsettled: _unsettled, pending: _pending, ...made } = { ...dataset, name, open, length: 10 };
    const lock = { did: { scope: 'data', name }, ruleId: 'q', rseId: 'r1', createdAt: 1 };
    await store.write(async () => [insertDid(made, missing), insertDatasetLock(lock)]);
  }
  beforeAll(async () => {
    await keep('kept', false);
    await keep('open', true);
  });
  const ofOpen = { did: { scope: 'data', name: 'open' } };

  it('YES: for the rule and each dataset when it becomes OK, also when it becomes OK again', async () => {
    expect(await told(finish({}))).toEqual([
      expect.objectContaining({ type: 'UPDATE_RULE', state: 'OK', locks_ok_cnt: 10 }),
      { type: 'RULE_OK', rule_id: 'q' },
      lockOk,
    ]);
    const grown = changed('rule', rule({ ok: 10, replicating: 0 }), rule({ ok: 11, replicating: 0 }));
    expect(await types(grown)).toEqual(['UPDATE_RULE', 'RULE_OK', 'DATASETLOCK_OK']);
    const shrunk = changed('rule', rule({ ok: 11, replicating: 0 }), rule({ ok: 10, replicating: 0 }));
    expect(await types(shrunk)).toEqual(['UPDATE_RULE']);
    expect(await types(finish({ grouping: 'NONE' }))).toEqual(['UPDATE_RULE', 'RULE_OK']);
  });

  it('CLOSE: once the DID is closed, and for complete datasets', async () => {
    expect(await types(finish({ notification: 'CLOSE' }))).toEqual(['UPDATE_RULE', 'RULE_OK', 'DATASETLOCK_OK']);
    expect(await types(finish({ notification: 'CLOSE', copies: 2 }))).toEqual(['UPDATE_RULE', 'RULE_OK']);
    expect(await types(finish({ notification: 'CLOSE', ...ofOpen }))).toEqual(['UPDATE_RULE']);
  });

  it('PROGRESS: at each further ten per cent, for a closed DID', async () => {
    const step = (from: number, to: number, more: Partial<Rule> = {}) => {
      const counted = (ok: number) => rule({ notification: 'PROGRESS', ok, replicating: 20 - ok, ...more });
      return told(changed('rule', counted(from), counted(to)));
    };
    expect((await step(2, 3)).slice(1)).toEqual([]);
    expect((await step(3, 4)).slice(1)).toEqual([{ type: 'RULE_PROGRESS', rule_id: 'q', progress: 20 }]);
    expect((await step(3, 4, ofOpen)).slice(1)).toEqual([]);
    expect((await step(19, 20)).slice(1)).toEqual([
      { type: 'RULE_OK', rule_id: 'q' },
      { type: 'RULE_PROGRESS', rule_id: 'q', progress: 100 },
    ]);
  });

  it('NO: none', async () => {
    expect(await types(finish({ notification: 'NO' }))).toEqual(['UPDATE_RULE']);
  });

  it('when a DID is closed: for rules that are OK by then', async () => {
    const { unsettled: _unsettled, ...made } = rule({ notification: 'CLOSE', ok: 10, replicating: 0 });
    await store.write(async () => insertRule(made, missing));
    const kept = { ...dataset, name: 'kept', length: 10 };
    const events = await eventsOf(store.begin().table, [changed('did', kept, { ...kept, open: false })]);
    expect(events.map(({ id, type }) => [id, type])).toEqual([
      ['e1.0', 'CLOSE'],
      ['e1.RULE_OK.q', 'RULE_OK'],
      ['e1.DATASETLOCK_OK.q.r1.data:kept', 'DATASETLOCK_OK'],
    ]);
  });
});
