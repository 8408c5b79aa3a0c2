import { contradictionError, validationError } from '../../errors.ts';

/** A key attribute in a request. */
export interface KeyElement {
  AttributeName: string;
  KeyType: string;
}

/** Capacity units of a table or an index. */
export interface Throughput {
  ReadCapacityUnits: number;
  WriteCapacityUnits: number;
}

/** An index in a request. */
export interface IndexDefinition {
  IndexName: string;
  KeySchema: readonly KeyElement[];
  Projection: { ProjectionType?: string; NonKeyAttributes?: readonly string[] };
  ProvisionedThroughput?: Throughput;
}

/** A list of names in DynamoDB's messages. */
export const listNames = (names: Iterable<string>) => `[${[...new Set(names)].join(', ')}]`;

/** Checks that the keys of a table or index have distinct names, and types in the right order. */
export function checkKeyOrder(schema: readonly KeyElement[]): void {
  const [first, second] = schema;
  if (second !== undefined && first?.AttributeName === second.AttributeName) {
    throw sameName();
  }
  if (first?.KeyType !== 'HASH') throw firstNotHash();
  if (second !== undefined && second.KeyType !== 'RANGE') {
    throw validationError('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type');
  }
}

const maxAttributesOfKind = 4;

/** Checks the key of a global index, which may have several attributes of each kind. */
export function checkGlobalKeyOrder(schema: readonly KeyElement[]): void {
  const types = schema.map(({ KeyType }) => KeyType);
  if (new Set(schema.map(({ AttributeName }) => AttributeName)).size < schema.length) throw sameName();
  if (types[0] !== 'HASH') throw firstNotHash();
  if (types.includes('RANGE') && types.indexOf('RANGE') < types.lastIndexOf('HASH')) {
    throw validationError('Invalid KeySchema: All HASH key elements must precede all RANGE key elements');
  }
  for (const kind of ['HASH', 'RANGE']) {
    if (types.filter((type) => type === kind).length <= maxAttributesOfKind) continue;
    throw validationError(
      `Invalid KeySchema: The number of ${kind} key elements exceeds the limit of ${maxAttributesOfKind}`,
    );
  }
}

const sameName = () =>
  validationError('Both the Hash Key and the Range Key element in the KeySchema have the same name');

const firstNotHash = () => validationError('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');

/** Checks that the attributes of a key are defined. */
export function checkKeysDefined(schema: readonly KeyElement[], defined: ReadonlySet<string>): void {
  const names = schema.map(({ AttributeName }) => AttributeName);
  if (names.every((name) => defined.has(name))) return;
  throw contradictionError(
    'Some index key attributes are not defined in AttributeDefinitions. ' +
      `Keys: ${listNames(names)}, AttributeDefinitions: ${listNames(defined)}`,
  );
}

/** Checks the projection of an index. */
export function checkProjection({ Projection }: IndexDefinition): void {
  const { ProjectionType, NonKeyAttributes } = Projection;
  if (ProjectionType === undefined) throw contradictionError('Unknown ProjectionType: null');
  if (ProjectionType !== 'INCLUDE') {
    if (NonKeyAttributes === undefined) return;
    throw contradictionError(`ProjectionType is ${ProjectionType}, but NonKeyAttributes is specified`);
  }
  if (NonKeyAttributes === undefined) {
    throw contradictionError('ProjectionType is INCLUDE, but NonKeyAttributes is not specified');
  }
  const repeated = NonKeyAttributes.find((name, i) => NonKeyAttributes.indexOf(name) < i);
  if (repeated !== undefined) throw contradictionError(`Duplicate attribute name in NonKeyAttributes: ${repeated}`);
}

const maxUnits = 1_000_000_000_000;

/** Whether capacity units exceed DynamoDB's limit. */
export function isOutOfBounds({ ReadCapacityUnits, WriteCapacityUnits }: Throughput): boolean {
  return ReadCapacityUnits > maxUnits || WriteCapacityUnits > maxUnits;
}

/**
 * Checks capacity units.
 *
 * @param index the name of their index; undefined for a table.
 */
export function checkThroughput(throughput: Throughput | undefined, index?: string): void {
  if (throughput === undefined) return;
  const place = index === undefined ? '' : ` for index ${index}`;
  for (const units of ['ReadCapacityUnits', 'WriteCapacityUnits'] as const) {
    if (throughput[units] > maxUnits) {
      throw validationError(`Given value ${throughput[units]} for ${units} is out of bounds${place}`);
    }
  }
}
