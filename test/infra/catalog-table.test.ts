import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';

import { resourcesOf, smallTemplateOf, statementsOf, templateOf } from './template.ts';

const table = 'AWS::DynamoDB::Table';

// Written out instead of read from the declaration: changing a key or an index replaces the table or the index.
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

  it('is billed on demand, expires by `ttl`, streams both images and has point-in-time recovery', () => {
    dev.hasResourceProperties(table, {
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  it('takes as many units as the account may use, or at most the limit in the context, like its indexes', () => {
    dev.hasResourceProperties(table, { OnDemandThroughput: Match.absent() });
    const OnDemandThroughput = { MaxReadRequestUnits: 5000, MaxWriteRequestUnits: 800 };
    smallTemplateOf({ tableReadLimit: '5000', tableWriteLimit: '800' }).hasResourceProperties(table, {
      OnDemandThroughput,
      GlobalSecondaryIndexes: [Match.objectLike({ OnDemandThroughput }), Match.objectLike({ OnDemandThroughput })],
    });
    smallTemplateOf({ tableReadLimit: '5000' }).hasResourceProperties(table, {
      OnDemandThroughput: { MaxReadRequestUnits: 5000, MaxWriteRequestUnits: Match.absent() },
    });
  });

  it.each([
    ['20000', { WriteUnitsPerSecond: 20_000, ReadUnitsPerSecond: 60_000 }],
    ['100', { WriteUnitsPerSecond: 4_000, ReadUnitsPerSecond: 12_000 }],
  ])(
    'serves %s write units from the start, as do its indexes, and never less than a new table',
    (warmWrites, WarmThroughput) => {
      smallTemplateOf({ warmWrites }).hasResourceProperties(table, {
        WarmThroughput,
        GlobalSecondaryIndexes: schema.GlobalSecondaryIndexes.map(() => Match.objectLike({ WarmThroughput })),
      });
      dev.hasResourceProperties(table, { WarmThroughput: Match.absent() });
    },
  );

  it('outlives the stack in prod, and only there', () => {
    prod.hasResource(table, {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { ...schema, DeletionProtectionEnabled: true },
    });
    dev.hasResource(table, { DeletionPolicy: 'Delete', Properties: { DeletionProtectionEnabled: false } });
  });

  it('is encrypted with its own key if the context says so, which the functions can use only through DynamoDB', () => {
    const own = templateOf({ tableKey: 'own', stage: 'prod' });
    own.hasResource('AWS::KMS::Key', {
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: { EnableKeyRotation: true },
    });
    const [[keyId] = ['']] = resourcesOf(own, 'AWS::KMS::Key');
    const arn = { 'Fn::GetAtt': [keyId, 'Arn'] };
    own.hasResourceProperties(table, {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: arn },
    });
    const statements = statementsOf(own).filter(({ Resource }) => JSON.stringify(Resource) === JSON.stringify(arn));
    // All functions except the one that rotates the token key.
    expect(statements).toHaveLength(resourcesOf(own, 'AWS::Lambda::Function').length - 1);
    for (const { Condition } of statements) expect(JSON.stringify(Condition)).toContain('kms:ViaService');
    dev.resourceCountIs('AWS::KMS::Key', 0);
  });

  it('is another one after a restore: functions and streams use that', () => {
    const stream = 'arn:aws:dynamodb:eu-central-1:111122223333:table/Restored/stream/2026-11-21T00:00:00.000';
    const restored = templateOf({ restoredTable: 'Restored', restoredTableStreamArn: stream });
    restored.resourceCountIs(table, 0);
    for (const [id, { Properties }] of resourcesOf<{ EventSourceArn: unknown }>(
      restored,
      'AWS::Lambda::EventSourceMapping',
    )) {
      expect(Properties.EventSourceArn, id).toBe(stream);
    }
    restored.hasResourceProperties('AWS::Lambda::Function', { Environment: { Variables: { TABLE_NAME: 'Restored' } } });
    const used = statementsOf(restored).filter(({ Action }) => JSON.stringify(Action).includes('dynamodb:GetItem'));
    for (const { Resource } of used) expect(JSON.stringify(Resource)).toContain(':table/Restored"');
    expect(used.length).toBeGreaterThan(20);
  });
});
