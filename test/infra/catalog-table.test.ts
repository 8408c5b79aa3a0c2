import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';

import { templateOf } from './template.ts';

const table = 'AWS::DynamoDB::Table';

// Spelled out rather than read from the declaration: changing a key or an index replaces the table or the index.
const schema = {
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'GSI1',
      KeySchema: [
        { AttributeName: 'GSI1PK', KeyType: 'HASH' },
        { AttributeName: 'GSI1SK', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
    {
      IndexName: 'GSI2',
      KeySchema: [
        { AttributeName: 'GSI2PK', KeyType: 'HASH' },
        { AttributeName: 'GSI2SK', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['batch'] },
    },
  ],
};

describe('the table', () => {
  const dev = templateOf();
  const prod = templateOf({ stage: 'prod' });

  it('is the only one, with string keys and the two declared indexes', () => {
    dev.resourceCountIs(table, 1);
    dev.hasResourceProperties(table, {
      ...schema,
      AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK', 'GSI2PK', 'GSI2SK'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      LocalSecondaryIndexes: Match.absent(),
    });
  });

  it('is billed on demand, expires by `ttl`, streams both images and can be restored to any second', () => {
    dev.hasResourceProperties(table, {
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  it('outlives the stack in prod, and only there', () => {
    prod.hasResource(table, {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { ...schema, DeletionProtectionEnabled: true },
    });
    dev.hasResource(table, { DeletionPolicy: 'Delete', Properties: { DeletionProtectionEnabled: false } });
  });

  it('keeps its logical id, since another one would be another table', () => {
    expect(Object.keys(prod.findResources(table))).toEqual(['TableCD117FA1']);
  });
});
