import {
  type Attribute,
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
} from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

import { tableDefinition } from '../lib/store/table-definition.ts';
import type { Config } from './config.ts';

/** What a function may do with the table. */
export type TableAccess = 'read' | 'read-write';

// Neither Scan nor any table administration: nothing on a request path may need them.
const readActions = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
const writeActions = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:PartiQLInsert'];

/** The one table, as lib/store declares it. */
export class CatalogTable extends Table {
  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id, {
      partitionKey: text(tableDefinition.partitionKey),
      sortKey: text(tableDefinition.sortKey),
      timeToLiveAttribute: tableDefinition.ttlAttribute,
      billingMode: BillingMode.PAY_PER_REQUEST,
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: config.protectData,
      removalPolicy: config.removalPolicy,
    });
    for (const index of tableDefinition.indexes) {
      this.addGlobalSecondaryIndex({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        ...(index.projection === 'ALL'
          ? { projectionType: ProjectionType.ALL }
          : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...index.projection] }),
      });
    }
  }

  /** Grants exactly what the store calls, on this table and its declared indexes: no wildcard. */
  grantAccess(grantee: IGrantable, access: TableAccess): void {
    Grant.addToPrincipal({
      grantee,
      actions: access === 'read' ? readActions : [...readActions, ...writeActions],
      resourceArns: [this.tableArn],
    });
    Grant.addToPrincipal({
      grantee,
      actions: ['dynamodb:Query'],
      resourceArns: tableDefinition.indexes.map((index) => `${this.tableArn}/index/${index.name}`),
    });
  }
}

function text(name: string): Attribute {
  return { name, type: AttributeType.STRING };
}
