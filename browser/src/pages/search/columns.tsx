import type { RowAt, Target } from '../../api/contract.ts';
import type { FoundDid } from '../../api/types.ts';
import type { Column } from '../../ui/rows-table.tsx';
import { Bytes, Count, DidLink, TypeMark } from '../../ui/values.tsx';

/** The types of DIDs that a search may be limited to. */
export const typeNames = [
  ['collection', 'Datasets and containers'],
  ['dataset', 'Datasets'],
  ['container', 'Containers'],
  ['file', 'Files'],
  ['all', 'Everything'],
] as const;

/** The columns of DIDs that were found. */
export const columns: readonly Column<FoundDid>[] = [
  {
    head: 'Name',
    cell: ({ scope, name }) => <DidLink scope={scope} name={name} />,
    lead: true,
    fill: true,
    sortBy: ({ name }) => name,
  },
  {
    head: 'Type',
    cell: ({ did_type: type }) => <TypeMark of={type} />,
    tight: true,
    sortBy: ({ did_type: type }) => type,
  },
  { head: 'Files', cell: ({ length }) => <Count of={length} />, number: true, sortBy: ({ length }) => length },
  { head: 'Size', cell: ({ bytes }) => <Bytes of={bytes} />, number: true, sortBy: ({ bytes }) => bytes },
];

type SearchRow = RowAt<Target<'/dids/:scope/dids/search'>>;

/** Whether a row of a search is a DID. */
export const isFoundDid = (row: SearchRow): row is FoundDid => typeof row === 'object' && 'did_type' in row;
