import type { FileDid, Replica } from '../../../lib/store/entities/did.ts';

/** A file without metadata, as it is read from the table, with replicas by the id of their RSE. */
export const fileWith = (replicas: Readonly<Record<string, Replica>>): FileDid => ({
  scope: 'data',
  name: 'f',
  type: 'FILE',
  account: 'root',
  createdAt: 500,
  updatedAt: 500,
  bytes: 10,
  columns: {},
  meta: {},
  unsettled: [],
  pending: new Map(),
  replicas: new Map(Object.entries(replicas)),
});
