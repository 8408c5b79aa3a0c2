import { expect, it } from 'vitest';

import type { DidKey } from '../../../lib/contract/schemas/did.ts';
import { follow } from '../../../lib/operations/dids/followers.ts';
import type { Table } from '../../../lib/store/batches/table.ts';
import { listFollowers } from '../../../lib/store/entities/follower.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { newCatalogue } from './catalogue.ts';
import { deleteDuring, runDuringDeletion } from './delete-during.ts';

it('a DID that is deleted while an account begins to follow it has no followers left (dids 2.26, 4.5)', async () => {
  const catalogue = await newCatalogue();
  const task = {
    run: (store: Store, did: DidKey) => follow(catalogue.at(Date.now(), store), did, 'root'),
    expectNothingLeft: async (table: Table, did: DidKey) => {
      expect(await Array.fromAsync(listFollowers(table, did))).toEqual([]);
    },
  };
  expect(await deleteDuring(catalogue, { type: 'DATASET' }, task)).toBeGreaterThan(2);
  expect(await runDuringDeletion(catalogue, task)).toBeGreaterThan(3);
});
