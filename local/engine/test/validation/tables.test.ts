import { describe, expect, test } from 'vitest';

import { validationError, problem, refusal } from './refusals.ts';

const defined = (...names: string[]) => names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' }));
const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' });
const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' });
const Projection = { ProjectionType: 'ALL' };
const throughput = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 };
const index = (IndexName: string, ...KeySchema: object[]) => ({ IndexName, KeySchema, Projection });
const table = {
  TableName: 'abc',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: defined('a', 'b'),
  KeySchema: [hash('a'), range('b')],
};
const create = (input: object) => refusal('CreateTable', { ...table, ...input });

describe('CreateTable', () => {
  test('accepts tables', () => {
    expect(create({})).toBe('accepted');
    expect(create({ BillingMode: undefined, ProvisionedThroughput: throughput })).toBe('accepted');
    const indexes = {
      LocalSecondaryIndexes: [index('local', hash('a'), range('c'))],
      GlobalSecondaryIndexes: [index('global', hash('c'))],
    };
    expect(create({ AttributeDefinitions: defined('a', 'b', 'c'), ...indexes })).toBe('accepted');
  });

  test('billing', () => {
    const both = problem(
      'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED',
    );
    expect(create({ BillingMode: undefined })).toBe(both);
    expect(create({ BillingMode: 'PROVISIONED', AttributeDefinitions: [] })).toBe(both);
    expect(create({ ProvisionedThroughput: throughput, AttributeDefinitions: [] })).toBe(
      problem('Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST'),
    );
    const large = { ReadCapacityUnits: 1, WriteCapacityUnits: 1_000_000_000_001 };
    expect(create({ BillingMode: 'PROVISIONED', ProvisionedThroughput: large, AttributeDefinitions: [] })).toBe(
      validationError('Given value 1000000000001 for WriteCapacityUnits is out of bounds'),
    );
  });

  const noDefinition = validationError('Invalid KeySchema: Some index key attribute have no definition');
  const sameName = validationError('Both the Hash Key and the Range Key element in the KeySchema have the same name');
  const notHash = validationError('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  const notRange = validationError('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type');

  test.each([
    [[], [hash('a')], noDefinition],
    [['b'], [hash('a'), hash('a')], noDefinition],
    [['a'], [hash('a'), range('a')], noDefinition],
    [
      ['b'],
      [hash('a')],
      problem(
        'Some index key attributes are not defined in AttributeDefinitions. Keys: [a], AttributeDefinitions: [b]',
      ),
    ],
    [['a', 'b'], [hash('a'), hash('a')], sameName],
    [['a', 'b'], [hash('a'), hash('b')], notRange],
    [['a', 'b'], [range('a'), hash('b')], notHash],
    [
      ['a', 'b'],
      [hash('a')],
      problem(
        'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
      ),
    ],
    [['a', 'a'], [hash('a')], problem('Duplicate AttributeName in AttributeDefinitions: a')],
  ])('definitions %j, key %j', (names, KeySchema, message) => {
    expect(create({ AttributeDefinitions: defined(...names), KeySchema })).toBe(message);
  });

  const undefinedKeys = problem(
    'Some index key attributes are not defined in AttributeDefinitions. Keys: [c, d], AttributeDefinitions: [a, b]',
  );

  test.each([
    [[], problem('List of LocalSecondaryIndexes is empty')],
    [[index('abc', range('c'), range('d'))], undefinedKeys],
    [[index('abc', range('a'))], notHash],
    [[index('abc', hash('a'), hash('b'))], notRange],
    [[index('abc', hash('b'))], problem('Index KeySchema does not have a range key for index: abc')],
    [
      [index('abc', hash('b'), range('a'))],
      problem(
        'Index KeySchema does not have the same leading hash key as table KeySchema for index: abc. ' +
          'index hash key: b, table hash key: a',
      ),
    ],
    [[index('abc', hash('a'), range('b')), index('abc', hash('a'), range('b'))], problem('Duplicate index name: abc')],
    [
      Array.from({ length: 6 }, (_, i) => index(`abc${i}`, hash('a'), range('b'))),
      problem('Number of LocalSecondaryIndexes exceeds per-table limit of 5'),
    ],
  ])('local indexes %#', (LocalSecondaryIndexes, message) => {
    expect(create({ LocalSecondaryIndexes })).toBe(message);
  });

  test('local indexes need a range key of the table', () => {
    expect(create({ KeySchema: [hash('a')], LocalSecondaryIndexes: [index('abc', range('c'))] })).toBe(
      problem('Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex'),
    );
  });

  test.each([
    [[], problem('List of GlobalSecondaryIndexes is empty')],
    [[index('abc', range('c'), range('d'))], undefinedKeys],
    [[index('abc', range('a'))], notHash],
    [
      [{ ...index('abc', hash('a')), ProvisionedThroughput: throughput }],
      problem('ProvisionedThroughput should not be specified for index: abc when BillingMode is PAY_PER_REQUEST'),
    ],
    [
      Array.from({ length: 21 }, (_, i) => index(`abc${i}`, hash('a'))),
      problem('GlobalSecondaryIndex count exceeds the per-table limit of 20'),
    ],
  ])('global indexes %#', (GlobalSecondaryIndexes, message) => {
    expect(create({ GlobalSecondaryIndexes })).toBe(message);
  });

  test('names of indexes differ between local and global ones', () => {
    const indexes = {
      LocalSecondaryIndexes: [index('abc', hash('a'), range('b'))],
      GlobalSecondaryIndexes: [index('abc', hash('a'), range('b'))],
    };
    expect(create(indexes)).toBe(problem('Duplicate index name: abc'));
  });

  test('definitions are used', () => {
    const input = { AttributeDefinitions: defined('a', 'b', 'c'), GlobalSecondaryIndexes: [index('abc', hash('b'))] };
    expect(create(input)).toBe(
      problem('Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]'),
    );
  });

  test.each([
    [{}, 'Unknown ProjectionType: null'],
    [{ NonKeyAttributes: ['a'] }, 'Unknown ProjectionType: null'],
    [{ ProjectionType: 'ALL', NonKeyAttributes: ['a'] }, 'ProjectionType is ALL, but NonKeyAttributes is specified'],
    [
      { ProjectionType: 'KEYS_ONLY', NonKeyAttributes: ['a'] },
      'ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified',
    ],
    [{ ProjectionType: 'INCLUDE' }, 'ProjectionType is INCLUDE, but NonKeyAttributes is not specified'],
    [{ ProjectionType: 'INCLUDE', NonKeyAttributes: ['c', 'c'] }, 'Duplicate attribute name in NonKeyAttributes: c'],
  ])('projection %j', (projection, message) => {
    expect(create({ GlobalSecondaryIndexes: [{ ...index('abc', hash('a')), Projection: projection }] })).toBe(
      problem(message),
    );
  });

  test('streams and tags', () => {
    expect(create({ StreamSpecification: {} })).toMatch("'streamSpecification.streamEnabled'");
    expect(create({ StreamSpecification: { StreamEnabled: true } })).toMatch(/StreamViewType/);
    expect(create({ StreamSpecification: { StreamEnabled: false } })).toBe('accepted');
    const Tags = Array.from({ length: 51 }, (_, i) => ({ Key: String(i), Value: '' }));
    expect(create({ Tags })).toMatch(/^ValidationException/);
    expect(create({ Tags: Tags.slice(1) })).toBe('accepted');
  });
});

describe('UpdateTable', () => {
  const update = (input: object) => refusal('UpdateTable', { TableName: 'abc', ...input });
  const updates = (...GlobalSecondaryIndexUpdates: object[]) => update({ GlobalSecondaryIndexUpdates });

  test('changes something', () => {
    const nothing = validationError(
      'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required',
    );
    expect(update({})).toBe(nothing);
    expect(updates()).toBe(nothing);
    expect(update({ AttributeDefinitions: [] })).toBe(nothing);
    expect(update({ DeletionProtectionEnabled: false })).toBe('accepted');
  });

  test('billing', () => {
    expect(update({ BillingMode: 'PAY_PER_REQUEST', ProvisionedThroughput: throughput })).toBe(
      problem('Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST'),
    );
    expect(update({ BillingMode: 'PROVISIONED' })).toBe(
      problem('ProvisionedThroughput must be specified when BillingMode is PROVISIONED'),
    );
  });

  test('indexes', () => {
    const members =
      'GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete';
    expect(updates({}, {})).toBe(problem(`One of ${members} must not be null`));
    const [Create, Delete] = [index('abc', hash('a')), { IndexName: 'abc' }];
    expect(updates({ Create, Delete })).toBe(problem(`Only one of ${members} may be specified`));
    expect(updates({ Delete }, { Delete })).toBe(
      problem('Only one global secondary index update per index is allowed simultaneously. Index: abc'),
    );
    const addIndex = (Added: object) =>
      update({
        AttributeDefinitions: defined('a'),
        GlobalSecondaryIndexUpdates: [{ Create: Added }],
      });
    expect(addIndex({ ...Create, Projection: {} })).toBe(problem('Unknown ProjectionType: null'));
    expect(addIndex(Create)).toBe('accepted');
    const undefinedKey = 'Some index key attributes are not defined in AttributeDefinitions. Keys: ';
    expect(updates({ Create })).toBe(problem(`${undefinedKey}[a], AttributeDefinitions: []`));
    expect(addIndex(index('abc', hash('b')))).toBe(problem(`${undefinedKey}[b], AttributeDefinitions: [a]`));
  });
});

describe('UpdateTimeToLive', () => {
  const update = (TimeToLiveSpecification?: unknown) =>
    refusal('UpdateTimeToLive', { TableName: 'abc', TimeToLiveSpecification });

  test('needs an attribute', () => {
    expect(update()).toMatch("'timeToLiveSpecification'");
    expect(update({ AttributeName: 'a' })).toMatch("'timeToLiveSpecification.enabled'");
    expect(update({ Enabled: true })).toMatch("'timeToLiveSpecification.attributeName'");
    expect(update({ Enabled: true, AttributeName: '' })).toMatch(/length greater than or equal to 1$/);
    expect(update({ Enabled: true, AttributeName: 'a'.repeat(256) })).toMatch(/length less than or equal to 255$/);
    expect(update({ Enabled: true, AttributeName: 'a' })).toBe('accepted');
  });
});

describe('tags', () => {
  const arn = 'arn:aws:dynamodb:us-east-1:000000000000:table/abc';
  const tag = (ResourceArn: string, Tags: unknown) => refusal('TagResource', { ResourceArn, Tags });
  const wrong = (resource: string) =>
    validationError(`Invalid TableArn: Invalid ResourceArn provided as input ${resource}`);

  test('name a table', () => {
    expect(refusal('TagResource', {})).toBe(validationError('Invalid TableArn'));
    expect(refusal('TagResource', { ResourceArn: 'a:b:c:d:e:f/g' })).toMatch("Value null at 'tags'");
    expect(tag('a:b:c:d:e:f/g', [])).toBe(wrong('a:b:c:d:e:f/g'));
    expect(tag('abcd', [])).toMatch(/^ValidationException.*ARNs must start with 'arn:'/);
    for (const resource of [`${arn}/index/abc`, arn.slice(0, -1)]) {
      expect(refusal('ListTagsOfResource', { ResourceArn: resource })).toBe(wrong(resource));
    }
    expect(refusal('ListTagsOfResource', { ResourceArn: arn })).toBe('accepted');
  });

  test('are there, and have characters and lengths that are allowed', () => {
    expect(tag(arn, [])).toBe(validationError('Atleast one Tag needs to be provided as Input.'));
    expect(refusal('UntagResource', { ResourceArn: arn, TagKeys: [] })).toBe(
      validationError('Atleast one Tag Key needs to be provided as Input.'),
    );
    expect(tag(arn, [{ Key: 'a b/c:d@e+f=g-h', Value: '' }])).toBe('accepted');
    for (const wrongTag of [
      { Key: '', Value: 'a' },
      { Key: 'a' },
      { Key: 'a'.repeat(129), Value: 'a' },
      { Key: 'a', Value: 'a'.repeat(257) },
      { Key: 'hi!', Value: 'a' },
      { Key: 'a', Value: '"hello"' },
    ]) {
      expect(tag(arn, [wrongTag])).toMatch(/^ValidationException/);
    }
  });
});

describe('operations without constraints', () => {
  test.each(['DescribeLimits', 'DescribeEndpoints', 'ListTables', 'ListStreams'])('%s', (operation) => {
    expect(refusal(operation, {})).toBe('accepted');
  });
});
