import { beforeAll, describe, expect, it } from 'vitest';

import { rowsOf } from '../../lib/domain/paging/page.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import { listAssociatedRules } from '../../lib/operations/dids/list-rules-of-did.ts';
import { insertDid, type NewDid } from '../../lib/store/entities/did.ts';
import { insertRule } from '../../lib/store/entities/rule-writes.ts';
import type { Store } from '../../lib/store/open-store.ts';
import { newTestStore } from '../support/store.ts';

let store: Store;
beforeAll(async () => {
  store = await newTestStore();
});

describe('rules that hold a lock on a file (dids 2.14)', () => {
  it('are found through the locks on its replicas, each once', async () => {
    const now = Date.now();
    const common = { account: 'root', createdAt: now, updatedAt: now, columns: {}, meta: {} };
    const dataset: NewDid = {
      ...common,
      scope: 's',
      name: 'ds',
      type: 'DATASET',
      open: true,
      bytes: 7,
    };
    const [kept, other] = ['a'.repeat(32), 'b'.repeat(32)];
    const locks = { state: 'A', locks: { [kept]: { state: 'O', account: 'root' } } } as const;
    const replicas = new Map([
      ['1'.repeat(32), locks],
      ['2'.repeat(32), locks],
    ]);
    const file: NewDid = { ...common, scope: 's', name: 'f', type: 'FILE', bytes: 7, replicas };
    const rule = {
      did: dataset,
      account: 'root',
      rseExpression: 'X',
      copies: 2,
      didType: 'DATASET',
      grouping: 'DATASET',
      status: 'ACTIVE',
      ok: 2,
      replicating: 0,
      stuck: 0,
      activity: 'default',
      notification: 'NO',
      priority: 3,
      createdAt: now,
      updatedAt: now,
    } as const;
    const duplicate = () => new Error('duplicate');
    await store.write(async () => [
      insertDid(dataset, () => new Error('exists')),
      insertDid(file, () => new Error('exists')),
      ...insertRule({ ...rule, id: kept }, duplicate),
      ...insertRule({ ...rule, id: other, copies: 1 }, duplicate),
    ]);
    const context: Context = { store: store.begin(), now, issuer: { account: 'root', identity: 'x' } };
    const rules = await Array.fromAsync(rowsOf(listAssociatedRules(context, { scope: 's', name: 'f' })));
    expect(rules).toMatchObject([{ id: kept, scope: 's', name: 'ds', did_type: 'DATASET', bytes: 7 }]);
  });
});
