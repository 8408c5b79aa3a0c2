/**
 * The one table, as plain data. The stack deploys it and the local engine creates it from this declaration.
 *
 * GSI1 projects everything because the collection index answers searches by itself; GSI2 projects the batch stamp
 * only, so that counters and metadata of a collection change without paying for a second index.
 */
export const tableDefinition = {
  partitionKey: 'PK',
  sortKey: 'SK',
  ttlAttribute: 'ttl',
  indexes: [
    { name: 'GSI1', partitionKey: 'GSI1PK', sortKey: 'GSI1SK', projection: 'ALL' },
    { name: 'GSI2', partitionKey: 'GSI2PK', sortKey: 'GSI2SK', projection: ['batch'] },
  ],
} as const;

/** Name of a secondary index of the table. */
export type IndexName = (typeof tableDefinition.indexes)[number]['name'];
