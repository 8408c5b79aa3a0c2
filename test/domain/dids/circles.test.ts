/** No container ends up below itself, however late the index is and whoever else attaches (docs/adr/0017-circles.md). */
import { beforeEach, describe, expect, it } from 'vitest';

import { addScope } from '../../../lib/operations/accounts/add-scope.ts';
import { addDid } from '../../../lib/operations/dids/add-dids.ts';
import { attachDids } from '../../../lib/operations/dids/attach-dids.ts';
import { detachDids } from '../../../lib/operations/dids/detach-dids.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { withLateIndex } from '../../support/late-index.ts';
import { type Catalogue, data, interrupted, newCatalogue } from './catalogue.ts';

let catalogue: Catalogue;
/** The same of which the index shows no attachment. */
let blind: Store;

const many = Array.from({ length: 12 }, (_value, index) => `m${index}`);

beforeEach(async () => {
  catalogue = await newCatalogue();
  blind = withLateIndex(catalogue.store, (text) => !text.includes('CHILD#'));
  for (const name of ['a', 'b', 'c', 'd', ...many]) await catalogue.add(name, 'CONTAINER');
}, 60_000);

const attach = (parent: string, children: readonly string[], store = catalogue.store) =>
  attachDids(catalogue.at(Date.now(), store), data(parent), children.map(data), undefined);

/** A store on which another request is carried out before the first plan is. */
function overtaken(run: () => Promise<unknown>): Store {
  let isFirst = true;
  return interrupted(catalogue.store, async () => {
    if (!isFirst) return;
    isFirst = false;
    await run();
  });
}

const circle = { name: 'UnsupportedOperation' };

describe('a container that stands above another one', () => {
  it('is not attached to it while the index does not show that', async () => {
    await attach('a', ['b'], blind);
    await attach('b', ['c'], blind);
    await expect(attach('c', ['a'], blind)).rejects.toMatchObject(circle);
    await expect(attach('c', ['d', ...many, 'a'], blind)).rejects.toMatchObject(circle);
  });

  it('is attached to it once it is detached, though the index shows it still', async () => {
    await attach('a', ['b']);
    await detachDids(catalogue.at(), data('a'), [data('b')]);
    await attach('b', ['a']);
    await expect(attach('a', ['b'])).rejects.toMatchObject(circle);
  });

  it.each([
    ['a handful', ['a']],
    ['many', ['a', ...many]],
  ])('is not attached to it by a request of %s that began before', async (_what, children) => {
    await expect(
      attach(
        'b',
        children,
        overtaken(() => attach('a', ['b'])),
      ),
    ).rejects.toMatchObject(circle);
  });

  it('is not attached to it by a request that began before it was above, at the other end of a line', async () => {
    await attach('a', ['b']);
    await attach('c', ['d']);
    await expect(
      attach(
        'd',
        ['a'],
        overtaken(() => attach('b', ['c'])),
      ),
    ).rejects.toMatchObject(circle);
  });

  it('is not attached to it from another scope', async () => {
    await addScope(catalogue.at(), { scope: 'other', account: 'root' });
    const other = { scope: 'other', name: 'x' };
    await addDid(catalogue.at(), other, { type: 'CONTAINER' });
    const closing = () => attachDids(catalogue.at(), other, [data('a')], undefined);
    const open = attachDids(catalogue.at(Date.now(), overtaken(closing)), data('a'), [other], undefined);
    await expect(open).rejects.toMatchObject(circle);
  });
});
