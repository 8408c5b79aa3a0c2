import { keyAttributeName, resourceName } from './common.ts';
import { flag, integer, list, long, oneOf, required, structure, type StructureShape, text } from './shape.ts';

const attributeDefinitions = list(
  structure('AttributeDefinition', {
    AttributeName: required(keyAttributeName),
    AttributeType: required(oneOf('B', 'N', 'S')),
  }),
);

const keyElement = structure('KeySchemaElement', {
  AttributeName: required(keyAttributeName),
  KeyType: required(oneOf('HASH', 'RANGE')),
});

const keySchema = list(keyElement, { least: 1, most: 2 });

const projection = structure('Projection', {
  ProjectionType: oneOf('ALL', 'INCLUDE', 'KEYS_ONLY'),
  NonKeyAttributes: list(keyAttributeName, { least: 1, most: 20 }),
});

const provisionedThroughput = structure('ProvisionedThroughput', {
  WriteCapacityUnits: required(long({ least: 1 })),
  ReadCapacityUnits: required(long({ least: 1 })),
});

const onDemandThroughput = structure('OnDemandThroughput', {
  MaxReadRequestUnits: long(),
  MaxWriteRequestUnits: long(),
});

const warmThroughput = structure('WarmThroughput', { ReadUnitsPerSecond: long(), WriteUnitsPerSecond: long() });

const indexMembers = {
  IndexName: required(resourceName),
  ProvisionedThroughput: provisionedThroughput,
  // Keys of global indexes have up to four attributes of each kind.
  KeySchema: required(list(keyElement, { least: 1, most: 8 })),
  Projection: required(projection),
  OnDemandThroughput: onDemandThroughput,
  WarmThroughput: warmThroughput,
};

const localSecondaryIndex = structure('LocalSecondaryIndex', {
  IndexName: required(resourceName),
  KeySchema: required(keySchema),
  Projection: required(projection),
});

const streamSpecification = structure('StreamSpecification', {
  StreamEnabled: required(flag),
  StreamViewType: oneOf('NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES', 'KEYS_ONLY'),
});

const encryption = structure('SSESpecification', {
  Enabled: flag,
  SSEType: oneOf('AES256', 'KMS'),
  KMSMasterKeyId: text(),
});

const tagKey = text({ least: 1, most: 128 });

const tags = list(structure('Tag', { Key: required(tagKey), Value: required(text({ least: 0, most: 256 })) }));

const settingMembers = {
  StreamSpecification: streamSpecification,
  SSESpecification: encryption,
  TableClass: oneOf('STANDARD', 'STANDARD_INFREQUENT_ACCESS'),
  DeletionProtectionEnabled: flag,
  OnDemandThroughput: onDemandThroughput,
  WarmThroughput: warmThroughput,
};

const nameOnly = (name: string): StructureShape => structure(name, { TableName: required(resourceName) });

/** The inputs of operations on tables and their tags. */
export const tableShapes: Readonly<Record<string, StructureShape>> = {
  CreateTable: structure('CreateTableInput', {
    AttributeDefinitions: required(attributeDefinitions),
    TableName: required(resourceName),
    BillingMode: oneOf('PROVISIONED', 'PAY_PER_REQUEST'),
    ProvisionedThroughput: provisionedThroughput,
    KeySchema: required(keySchema),
    LocalSecondaryIndexes: list(localSecondaryIndex),
    GlobalSecondaryIndexes: list(structure('GlobalSecondaryIndex', indexMembers)),
    ...settingMembers,
    Tags: tags,
    ResourcePolicy: text(),
  }),
  UpdateTable: structure('UpdateTableInput', {
    TableName: required(resourceName),
    AttributeDefinitions: attributeDefinitions,
    BillingMode: oneOf('PROVISIONED', 'PAY_PER_REQUEST'),
    ProvisionedThroughput: provisionedThroughput,
    GlobalSecondaryIndexUpdates: list(
      structure('GlobalSecondaryIndexUpdate', {
        Update: structure('UpdateGlobalSecondaryIndexAction', {
          IndexName: required(resourceName),
          ProvisionedThroughput: required(provisionedThroughput),
        }),
        Create: structure('CreateGlobalSecondaryIndexAction', indexMembers),
        Delete: structure('DeleteGlobalSecondaryIndexAction', { IndexName: required(resourceName) }),
      }),
    ),
    ReplicaUpdates: list(structure('ReplicationGroupUpdate', {})),
    ...settingMembers,
  }),
  DeleteTable: nameOnly('DeleteTableInput'),
  DescribeTable: nameOnly('DescribeTableInput'),
  DescribeTimeToLive: nameOnly('DescribeTimeToLiveInput'),
  DescribeContinuousBackups: nameOnly('DescribeContinuousBackupsInput'),
  ListTables: structure('ListTablesInput', {
    ExclusiveStartTableName: resourceName,
    Limit: integer({ least: 1, most: 100 }),
  }),
  UpdateTimeToLive: structure('UpdateTimeToLiveInput', {
    TableName: required(resourceName),
    TimeToLiveSpecification: required(
      structure('TimeToLiveSpecification', { Enabled: required(flag), AttributeName: required(keyAttributeName) }),
    ),
  }),
  TagResource: structure('TagResourceInput', { ResourceArn: required(text()), Tags: required(tags) }),
  UntagResource: structure('UntagResourceInput', { ResourceArn: required(text()), TagKeys: required(list(tagKey)) }),
  ListTagsOfResource: structure('ListTagsOfResourceInput', { ResourceArn: required(text()), NextToken: text() }),
  DescribeLimits: structure('DescribeLimitsInput', {}),
  DescribeEndpoints: structure('DescribeEndpointsRequest', {}),
};
