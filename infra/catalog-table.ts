import { Aws, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';

import { tableDefinition } from '../lib/store/items/table-definition.ts';
import { eventReaders } from '../lib/store/keys/event-keys.ts';
import type { Config } from './config.ts';

/** The access of a function to the table; `insert`: read items and add new ones; `count`: read, and count readers of events. */
export type TableAccess = 'read' | 'insert' | 'count' | 'read-write';

// No Scan and no table administration: no request may depend on them.
const readActions = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
const writeActions = [
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:PartiQLDelete',
  'dynamodb:PartiQLInsert',
  'dynamodb:PartiQLUpdate',
  'dynamodb:ConditionCheckItem',
];
const tableActions: Readonly<Record<TableAccess, string[]>> = {
  read: readActions,
  insert: ['dynamodb:GetItem', 'dynamodb:PutItem'],
  count: readActions,
  'read-write': [...readActions, ...writeActions],
};

const decrypt = ['kms:Decrypt', 'kms:DescribeKey'];
const encrypt = [
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

/** The table as lib/store declares it, or one restored from a backup of it. */
export class CatalogTable extends Construct {
  readonly tableName: string;
  readonly tableArn: string;
  readonly streamArn: string;
  readonly #key: Key | undefined;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    this.#key =
      config.tableKey === 'own'
        ? new Key(this, 'Key', {
            description: 'Encrypts the table of Dapple',
            enableKeyRotation: true,
            removalPolicy: config.removalPolicy,
          })
        : undefined;
    if (config.restoredTable === '') {
      const table = createTable(this, config, this.#key);
      this.tableName = table.tableName;
      this.tableArn = table.tableArn;
      this.streamArn = table.tableStreamArn ?? '';
    } else {
      this.tableName = config.restoredTable;
      this.tableArn = Stack.of(this).formatArn({
        service: 'dynamodb',
        resource: 'table',
        resourceName: config.restoredTable,
      });
      this.streamArn = config.restoredTableStreamArn;
    }
  }

  /** Grants exactly the operations of the store, on this table and its declared indexes: no wildcard. */
  grantAccess(grantee: IGrantable, access: TableAccess): void {
    Grant.addToPrincipal({ grantee, actions: tableActions[access], resourceArns: [this.tableArn] });
    if (access === 'count') {
      Grant.addToPrincipal({
        grantee,
        actions: ['dynamodb:UpdateItem'],
        resourceArns: [this.tableArn],
        conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [eventReaders] } },
      });
    }
    if (access !== 'insert') {
      Grant.addToPrincipal({
        grantee,
        actions: ['dynamodb:Query'],
        resourceArns: tableDefinition.indexes.map((index) => `${this.tableArn}/index/${index.name}`),
      });
    }
    if (this.#key === undefined) return;
    Grant.addToPrincipal({
      grantee,
      actions: access === 'read' ? decrypt : [...decrypt, ...encrypt],
      resourceArns: [this.#key.keyArn],
      // The function may use the key through DynamoDB only, not by calling KMS itself.
      conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${Aws.REGION}.amazonaws.com` } },
    });
  }
}

/** The name `Default` does not appear in the logical id. Any other logical id would replace the table. */
function createTable(scope: Construct, config: Config, encryptionKey: Key | undefined): Table {
  const throughputLimits = {
    ...(config.tableReadLimit === 0 ? {} : { maxReadRequestUnits: config.tableReadLimit }),
    ...(config.tableWriteLimit === 0 ? {} : { maxWriteRequestUnits: config.tableWriteLimit }),
  };
  const warm =
    config.warmWrites === 0
      ? {}
      : {
          warmThroughput: {
            writeUnitsPerSecond: Math.max(4_000, config.warmWrites),
            readUnitsPerSecond: Math.max(12_000, 3 * config.warmWrites),
          },
        };
  const table = new Table(scope, 'Default', {
    ...warm,
    partitionKey: text(tableDefinition.partitionKey),
    sortKey: text(tableDefinition.sortKey),
    timeToLiveAttribute: tableDefinition.ttlAttribute,
    billingMode: BillingMode.PAY_PER_REQUEST,
    stream: StreamViewType.NEW_AND_OLD_IMAGES,
    ...throughputLimits,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: config.protectData,
    // Unlike the other resources: a protected table cannot be deleted, so a rollback that tried it would fail.
    removalPolicy: config.protectData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    ...(encryptionKey === undefined ? {} : { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey }),
  });
  for (const index of tableDefinition.indexes) {
    table.addGlobalSecondaryIndex({
      indexName: index.name,
      ...warm,
      ...throughputLimits,
      partitionKey: text(index.partitionKey),
      sortKey: text(index.sortKey),
      ...(index.projection === 'ALL'
        ? { projectionType: ProjectionType.ALL }
        : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...index.projection] }),
    });
  }
  return table;
}

function text(name: string): Attribute {
  return { name, type: AttributeType.STRING };
}
