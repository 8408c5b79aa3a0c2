/** No container becomes its own descendant, with a stale index or concurrent attachments (docs/adr/0017-circles.md). */
import { beforeEach, describe, expect, it } from 'vitest';

import { addScope } from '../../../lib/operations/accounts/add-scope.ts';
import { addDid } from '../../../lib/operations/dids/add-dids.ts';
import { attachDids } from '../../../lib/operations/dids/attach-dids.ts';
import { detachDids } from '../../../lib/operations/dids/detach-dids.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { withLateIndex } from '../../support/late-index.ts';
import { type Catalogue, data, interrupted, newCatalogue } from './catalogue.ts';

let catalogue: Catalogue;
/** The same store with an index that shows no attachment. */
let blind: Store;

const many = Array.from({ length: 12 }, (_value, index) => `m${index}`);

beforeEach(async () => {
  catalogue = await newCatalogue();
  blind = withLateIndex(catalogue.store, (text) => !text.includes('CHILD#'));
  for (const name of ['a', 'b', 'c', 'd', ...many]) await catalogue.add(name, 'CONTAINER');
}, 60_000);

const attach = (parent: string, children: readonly string[], store = catalogue.store) =>
  attachDids(catalogue.at(Date.now(), store), data(parent), children.map(data), undefined);

/** A store on which another request is committed before the first plan. */
function overtaken(run: () => Promise<unknown>): Store {
  let isFirst = true;
  return interrupted(catalogue.store, async () => {
    if (!isFirst) return;
    isFirst = false;
    await run();
  });
}

const circle = { name: 'UnsupportedOperation' };

describe('an ancestor of a container', () => {
  it('is not attached to it while the index does not show the ancestry', async () => {
    await attach('a', ['b'], blind);
    await attach('b', ['c'], blind);
    await expect(attach('c', ['a'], blind)).rejects.toMatchObject(circle);
    await expect(attach('c', ['d', ...many, 'a'], blind)).rejects.toMatchObject(circle);
  });

  it('is attached to it once it is no ancestor any more, even if the index still shows it', async () => {
    await attach('a', ['b']);
    await detachDids(catalogue.at(), data('a'), [data('b')]);
    await attach('b', ['a']);
    await expect(attach('a', ['b'])).rejects.toMatchObject(circle);
  });

  it.each([
    ['one child', ['a']],
    ['many children', ['a', ...many]],
  ])('is not attached to it by a request with %s that began before it was one', async (_what, children) => {
    await expect(
      attach(
        'b',
        children,
        overtaken(() => attach('a', ['b'])),
      ),
    ).rejects.toMatchObject(circle);
  });

  it('is not attached to it by a request that began before a third attachment closed the path', async () => {
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
