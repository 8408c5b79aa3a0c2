import { invalid } from '../../errors.ts';

/** The error of a request with values that do not go together. */
export const problem = (what: string) => invalid(`One or more parameter values were invalid: ${what}`);

/** An attribute of a key, as requests declare it. */
export interface KeyElement {
  AttributeName: string;
  KeyType: string;
}

/** Capacity units of a table or an index. */
export interface Throughput {
  ReadCapacityUnits: number;
  WriteCapacityUnits: number;
}

/** An index, as requests declare it. */
export interface IndexDefinition {
  IndexName: string;
  KeySchema: readonly KeyElement[];
  Projection: { ProjectionType?: string; NonKeyAttributes?: readonly string[] };
  ProvisionedThroughput?: Throughput;
}

/** Names as DynamoDB's messages list them. */
export const listNames = (names: Iterable<string>) => `[${[...new Set(names)].join(', ')}]`;

/** Checks that the keys of a table or index have distinct names, and types in the right order. */
export function checkKeyOrder(schema: readonly KeyElement[]): void {
  const [first, second] = schema;
  if (second !== undefined && first?.AttributeName === second.AttributeName) {
    throw sameName();
  }
  if (first?.KeyType !== 'HASH') throw firstNotHash();
  if (second !== undefined && second.KeyType !== 'RANGE') {
    throw invalid('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type');
  }
}

const mostOfKind = 4;

/** Checks the key of a global index, which may have several attributes of each kind. */
export function checkGlobalKeyOrder(schema: readonly KeyElement[]): void {
  const types = schema.map(({ KeyType }) => KeyType);
  if (new Set(schema.map(({ AttributeName }) => AttributeName)).size < schema.length) throw sameName();
  if (types[0] !== 'HASH') throw firstNotHash();
  if (types.includes('RANGE') && types.indexOf('RANGE') < types.lastIndexOf('HASH')) {
    throw invalid('Invalid KeySchema: All HASH key elements must precede all RANGE key elements');
  }
  for (const kind of ['HASH', 'RANGE']) {
    if (types.filter((type) => type === kind).length <= mostOfKind) continue;
    throw invalid(`Invalid KeySchema: The number of ${kind} key elements exceeds the limit of ${mostOfKind}`);
  }
}

const sameName = () => invalid('Both the Hash Key and the Range Key element in the KeySchema have the same name');

const firstNotHash = () => invalid('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');

/** Checks that the attributes of a key are defined. */
export function checkKeysDefined(schema: readonly KeyElement[], defined: ReadonlySet<string>): void {
  const names = schema.map(({ AttributeName }) => AttributeName);
  if (names.every((name) => defined.has(name))) return;
  throw problem(
    'Some index key attributes are not defined in AttributeDefinitions. ' +
      `Keys: ${listNames(names)}, AttributeDefinitions: ${listNames(defined)}`,
  );
}

/** Checks which attributes an index is to hold. */
export function checkProjection({ Projection }: IndexDefinition): void {
  const { ProjectionType, NonKeyAttributes } = Projection;
  if (ProjectionType === undefined) throw problem('Unknown ProjectionType: null');
  if (ProjectionType !== 'INCLUDE') {
    if (NonKeyAttributes === undefined) return;
    throw problem(`ProjectionType is ${ProjectionType}, but NonKeyAttributes is specified`);
  }
  if (NonKeyAttributes === undefined) {
    throw problem('ProjectionType is INCLUDE, but NonKeyAttributes is not specified');
  }
  const repeated = NonKeyAttributes.find((name, i) => NonKeyAttributes.indexOf(name) < i);
  if (repeated !== undefined) throw problem(`Duplicate attribute name in NonKeyAttributes: ${repeated}`);
}

const mostUnits = 1_000_000_000_000;

/** Whether capacity units are more than DynamoDB has. */
export function isOutOfBounds({ ReadCapacityUnits, WriteCapacityUnits }: Throughput): boolean {
  return ReadCapacityUnits > mostUnits || WriteCapacityUnits > mostUnits;
}

/**
 * Checks capacity units.
 *
 * @param index the name of the index that they are for; undefined for a table.
 */
export function checkThroughput(throughput: Throughput | undefined, index?: string): void {
  if (throughput === undefined) return;
  const place = index === undefined ? '' : ` for index ${index}`;
  for (const units of ['ReadCapacityUnits', 'WriteCapacityUnits'] as const) {
    if (throughput[units] > mostUnits) {
      throw invalid(`Given value ${throughput[units]} for ${units} is out of bounds${place}`);
    }
  }
}
