import { eventsOf } from '../../../lib/domain/events/events-of.ts';
import type { CollectionDid } from '../../../lib/store/entities/did.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import type { TableChange } from '../../../lib/store/stream/change.ts';

/** The time of all changes, in milliseconds. */
export const at = Date.parse('2026-11-21T12:21:38Z');
/** A change as read from the stream; undefined: absent. */
export const changed = <E>(kind: TableChange['kind'], before: E | undefined, after: E | undefined) =>
  ({
    kind,
    id: 'e1',
    at,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }) as unknown as TableChange;

/** The events of changes: type and data, without the key of the DID. */
export async function tell(store: Store, changes: readonly TableChange[]) {
  const events = await eventsOf(store.begin().table, changes);
  return events.map(({ type, data }) => {
    const { scope: _scope, name: _name, ...rest } = data;
    return Object.assign({ type }, rest);
  });
}

/** An empty dataset. */
export const dataset: CollectionDid = {
  scope: 'data',
  name: 'raw',
  type: 'DATASET',
  account: 'alice',
  open: true,
  length: 0,
  bytes: 0,
  createdAt: 1,
  updatedAt: 1,
  columns: {},
  meta: {},
  unsettled: [],
  pending: new Map(),
};
