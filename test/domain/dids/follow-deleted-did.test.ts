import { expect, it } from 'vitest';

import { follow } from '../../../lib/operations/dids/followers.ts';
import { listFollowers } from '../../../lib/store/entities/follower.ts';
import { newCatalogue } from './catalogue.ts';
import { deleteDuring } from './delete-during.ts';

it('a DID that is deleted while an account begins to follow it has no followers left (dids 2.26, 4.5)', async () => {
  const catalogue = await newCatalogue();
  const sent = await deleteDuring(catalogue, {
    type: 'DATASET',
    run: (store, did) => follow(catalogue.at(Date.now(), store), did, 'root'),
    expectNothingLeft: async (table, did) => {
      expect(await Array.fromAsync(listFollowers(table, did))).toEqual([]);
    },
  });
  expect(sent).toBeGreaterThan(2);
});
