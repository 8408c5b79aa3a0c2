import type { DeletableReplicaLine } from '../../api/types.ts';
import type { Column } from '../../ui/paged-table.tsx';
import { Bytes, DidLink, State } from '../../ui/values.tsx';

/** The first columns of every list of replicas on one RSE. */
export const replicaColumns: readonly Column<Pick<DeletableReplicaLine, 'state' | 'scope' | 'name' | 'bytes'>>[] = [
  { head: 'State', cell: (replica) => <State of={replica.state} />, tight: true, sortBy: ({ state }) => state },
  {
    head: 'File',
    cell: ({ scope, name }) => <DidLink scope={scope} name={name} />,
    lead: true,
    fill: true,
    sortBy: ({ name }) => name,
  },
  { head: 'Size', cell: (replica) => <Bytes of={replica.bytes} />, number: true, sortBy: ({ bytes }) => bytes },
];
