/**
 * The one table, as plain data. The stack deploys it and the local engine creates it from this declaration.
 *
 * GSI1 projects all attributes, because searches are answered from the collection index alone. GSI2 projects only the batch
 * stamp, so that changes of counters and metadata of a collection do not pay for a second index.
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
