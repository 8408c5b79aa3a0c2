import type { LoadRequest } from './client.ts';
import type { NextRequest, Row, RowContext } from './row.ts';
import { attachOneByOne } from './write-rows.ts';

/** Per cent of the requests, by what they do. */
const weights = {
  'get DID': 28,
  'get metadata': 10,
  'list_replicas 1 file': 14,
  parents: 6,
  'list content': 4,
  'search by prefix': 4,
  'get RSE': 6,
  'RSE expression': 5,
  'lfns2pfns 10': 3,
  'create file + replica': 8,
  'attach 1 file': 6,
  'create dataset': 3,
  'set metadata': 3,
} as const;

type Part = keyof typeof weights;

/** Requests of an experiment in the course of a day, at the same time. */
export const mixedRow: Row = { name: 'mixed, 80 % reads', connections: [16], isMixed: true, prepare: mix };

async function mix(context: RowContext): Promise<NextRequest> {
  const { requests } = context;
  const attach = await attachOneByOne(context);
  const make: Record<Part, (connection: number) => LoadRequest | undefined> = {
    'get DID': () => requests.getDid(),
    'get metadata': () => requests.getMetadata(),
    'list_replicas 1 file': () => requests.listReplicasOfFile(),
    parents: () => requests.listParents(),
    'list content': () => requests.listContent(),
    'search by prefix': () => requests.searchByName(),
    'get RSE': () => requests.getRse(),
    'RSE expression': () => requests.listRsesByExpression(),
    'lfns2pfns 10': () => requests.listPfns(10),
    'create file + replica': () => requests.registerFiles(1),
    'attach 1 file': attach,
    'create dataset': () => requests.createDataset(),
    'set metadata': () => requests.setMetadata(),
  };
  return (connection) => {
    const part = requests.weighed(weights);
    const request = make[part](connection);
    return request === undefined ? undefined : { ...request, part };
  };
}
