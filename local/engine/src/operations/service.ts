import type { Output } from '../json.ts';
import { reading } from './operation.ts';

/** AWS's default quotas: for an account, and for a table. */
const quotas = { account: 80_000, table: 40_000 };

export const describeLimits = reading((): Output => ({
  AccountMaxReadCapacityUnits: quotas.account,
  AccountMaxWriteCapacityUnits: quotas.account,
  TableMaxReadCapacityUnits: quotas.table,
  TableMaxWriteCapacityUnits: quotas.table,
}));

const cacheMinutes = 1_440;

export const describeEndpoints = reading((): Output => ({
  Endpoints: [{ Address: 'dynamodb.us-east-1.amazonaws.com', CachePeriodInMinutes: cacheMinutes }],
}));
