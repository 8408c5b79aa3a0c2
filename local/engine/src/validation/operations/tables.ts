import { contradictionError, validationError } from '../../errors.ts';
import type { Input } from '../parameters.ts';
import {
  checkGlobalKeyOrder,
  checkKeysDefined,
  checkProjection,
  checkThroughput,
  type IndexDefinition,
  type Throughput,
} from './indexes.ts';
import { checkStreamSpecification, type StreamSpecification } from './table-settings.ts';

/** Checks that a request names a table, which DynamoDB does before it checks the constraints. */
export function checkTablePresent({ TableName }: Input): void {
  if (TableName === undefined) {
    throw validationError("The parameter 'TableName' is required but was not present in the request");
  }
}

/** Checks the length of the table's name, before the constraints. */
export function checkTableNameLength(input: Input): void {
  checkTablePresent(input);
  const { length } = input.TableName as string;
  if (length < 3 || length > 255) {
    throw validationError('TableName must be at least 3 characters long and at most 255 characters long');
  }
}

interface IndexUpdate {
  Update?: { IndexName: string };
  Create?: IndexDefinition;
  Delete?: { IndexName: string };
}

/** The input of an UpdateTable with valid constraints. */
interface TableUpdate {
  AttributeDefinitions?: ReadonlyArray<{ AttributeName: string }>;
  BillingMode?: string;
  ProvisionedThroughput?: Throughput;
  GlobalSecondaryIndexUpdates?: readonly IndexUpdate[];
  StreamSpecification?: StreamSpecification;
}

const changes = [
  'ProvisionedThroughput',
  'BillingMode',
  'StreamSpecification',
  'SSESpecification',
  'TableClass',
  'DeletionProtectionEnabled',
  'OnDemandThroughput',
  'WarmThroughput',
  'ReplicaUpdates',
];

/** Checks an UpdateTable. */
export function checkUpdateTable(input: Input): void {
  const {
    AttributeDefinitions = [],
    BillingMode,
    ProvisionedThroughput,
    GlobalSecondaryIndexUpdates = [],
    StreamSpecification,
  } = input as unknown as TableUpdate;
  checkThroughput(ProvisionedThroughput);
  if (GlobalSecondaryIndexUpdates.length === 0 && changes.every((change) => input[change] === undefined)) {
    throw validationError(
      'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or ' +
        'SSESpecification or ReplicaUpdates is required',
    );
  }
  if (BillingMode === 'PAY_PER_REQUEST' && ProvisionedThroughput !== undefined) {
    throw contradictionError(
      'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    );
  }
  if (BillingMode === 'PROVISIONED' && ProvisionedThroughput === undefined) {
    throw contradictionError('ProvisionedThroughput must be specified when BillingMode is PROVISIONED');
  }
  checkIndexUpdates(
    GlobalSecondaryIndexUpdates,
    new Set(AttributeDefinitions.map(({ AttributeName }) => AttributeName)),
  );
  checkStreamSpecification(StreamSpecification);
}

/** @param defined The attributes that the request defines: a new index needs all of its own, also those that the table knows. */
function checkIndexUpdates(updates: readonly IndexUpdate[], defined: ReadonlySet<string>): void {
  const names = new Set<string>();
  for (const { Update, Create, Delete } of updates) {
    const [action, ...others] = [Update, Create, Delete].filter((one) => one !== undefined);
    const members = ['Update', 'Create', 'Delete'].map((member) => `GlobalSecondaryIndexUpdate.${member}`).join(', ');
    if (action === undefined) throw contradictionError(`One of ${members} must not be null`);
    if (others.length > 0) throw contradictionError(`Only one of ${members} may be specified`);
    if (names.has(action.IndexName)) {
      throw contradictionError(
        `Only one global secondary index update per index is allowed simultaneously. Index: ${action.IndexName}`,
      );
    }
    names.add(action.IndexName);
    if (Create === undefined) continue;
    checkKeysDefined(Create.KeySchema, defined);
    checkGlobalKeyOrder(Create.KeySchema);
    checkProjection(Create);
  }
}
