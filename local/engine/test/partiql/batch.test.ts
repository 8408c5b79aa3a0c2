import { beforeEach, describe, expect, it } from 'vitest';

import { refusal, Statements } from './support.ts';

let statements = new Statements();

beforeEach(() => {
  statements = new Statements();
  statements.run(`INSERT INTO "Single" VALUE {'pk': 'a', 'n': 1, 'm': {'x': 'y'}}`);
  statements.run(`INSERT INTO "Single" VALUE {'pk': 'b', 'n': 2}`);
});

const count = () => statements.items('SELECT pk FROM "Single"').length;

describe('BatchExecuteStatement', () => {
  it('inserts each item independently', () => {
    const insert = (pk: string) => ({
      Statement: `INSERT INTO "Single" VALUE {'pk': ?, 'n': ?}`,
      Parameters: [{ S: pk }, { N: '1' }],
    });
    expect(statements.batch([insert('c'), insert('a'), insert('d')], { ReturnConsumedCapacity: 'TOTAL' })).toEqual({
      Responses: [
        { TableName: 'Single' },
        { Error: { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' }, TableName: 'Single' },
        { TableName: 'Single' },
      ],
      ConsumedCapacity: [{ TableName: 'Single', CapacityUnits: 2 }],
    });
    expect(count()).toBe(4);
  });

  it('answers the RETURNING clause of writes, and their errors', () => {
    const { Responses } = statements.batch([
      `DELETE FROM "Single" WHERE pk = 'b' RETURNING ALL OLD *`,
      {
        Statement: `UPDATE "Single" SET n = 5 WHERE pk = 'a' AND n = 7`,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
      `UPDATE "Single" SET n = 5 WHERE pk = 'none'`,
      `UPDATE "Single" REMOVE q WHERE n = 1`,
      `INSERT INTO "Nowhere" VALUE {'pk': 'x'}`,
      `INSERT INTO "#" VALUE {'pk': 'x'}`,
      `INSERT INTO "Single" VALUE {'pk': 1}`,
      'SLECT * FROM "Single"',
      `EXISTS(SELECT * FROM "Single" WHERE pk = 'a' AND n = 1)`,
      'n = 1',
      '1',
    ]);
    const failed = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
    const wrong = (message: string) => ({ Error: { Code: 'ValidationError', Message: message } });
    expect(Responses).toEqual([
      { TableName: 'Single', Item: { pk: { S: 'b' }, n: { N: '2' } } },
      {
        TableName: 'Single',
        Error: { ...failed, Item: { pk: { S: 'a' }, n: { N: '1' }, m: { M: { x: { S: 'y' } } } } },
      },
      { TableName: 'Single', Error: failed },
      wrong('Where clause does not contain a mandatory equality on all key attributes'),
      { Error: { Code: 'ResourceNotFound', Message: 'Requested resource not found' } },
      { Error: { Code: 'ResourceNotFound', Message: 'Requested resource not found' } },
      wrong("Key attribute's data type should match its data type in table's schema: Key pk"),
      wrong("Statement wasn't well formed, can't be processed: Expected data manipulation"),
      wrong('EXISTS can only be used in ExecuteTransaction write requests.'),
      wrong('EXISTS can only be used in ExecuteTransaction write requests.'),
      wrong('Invalid operation. Only select, insert, update and delete operations are valid'),
    ]);
  });

  it('reads items by their keys', () => {
    const mustBeKey = {
      Error: {
        Code: 'ValidationError',
        Message: 'Select statements within BatchExecuteStatement must specify the primary key in the where clause.',
      },
    };
    expect(
      statements.batch(
        [
          { Statement: `SELECT m.x, n FROM "Single" WHERE pk = 'a'`, ConsistentRead: true },
          `SELECT * FROM "Single" WHERE pk = 'none'`,
          `SELECT * FROM "Single" WHERE pk = 'b' AND n = 2`,
          `SELECT * FROM "Double"."global" WHERE g = 'x'`,
          `SELECT * FROM "Single"`,
        ],
        { ReturnConsumedCapacity: 'TOTAL' },
      ),
    ).toEqual({
      Responses: [
        { TableName: 'Single', Item: { m: { M: { x: { S: 'y' } } }, n: { N: '1' } } },
        { TableName: 'Single' },
        mustBeKey,
        mustBeKey,
        mustBeKey,
      ],
      ConsumedCapacity: [{ TableName: 'Single', CapacityUnits: 1.5 }],
    });
  });

  it('refuses mixed reads and writes, and repeated items', () => {
    const insert = `INSERT INTO "Single" VALUE {'pk': 'c'}`;
    const messageOf = (list: string[]) => refusal(() => statements.batch(list)).message;
    expect(messageOf([insert, `SELECT * FROM "Nowhere" WHERE pk = 'a'`])).toBe(
      'Read and write requests together in the same batch is not supported.',
    );
    expect(messageOf([`SELECT * FROM "Single" WHERE pk = ?`, insert])).toBe(
      'Read and write requests together in the same batch is not supported.',
    );
    expect(messageOf([insert, `UPDATE "Single" SET n = 1 WHERE pk = 'c'`])).toBe(
      'Provided list of item keys contains duplicates',
    );
    expect(count()).toBe(2);
  });
});

describe('ExecuteTransaction', () => {
  const messageOf = (list: (string | object)[]) => refusal(() => statements.transact(list)).message;

  it('writes all or nothing', () => {
    const list = [
      `INSERT INTO "Single" VALUE {'pk': 'c'}`,
      `EXISTS(SELECT * FROM "Single" WHERE pk = 'a' AND n = 1)`,
      `DELETE FROM "Single" WHERE pk = 'b'`,
    ];
    expect(statements.transact(list, { ReturnConsumedCapacity: 'TOTAL' })).toEqual({
      Responses: [],
      ConsumedCapacity: [{ TableName: 'Single', CapacityUnits: 6, WriteCapacityUnits: 6 }],
    });
    expect(statements.items('SELECT pk FROM "Single"')).toEqual([{ pk: { S: 'a' } }, { pk: { S: 'c' } }]);
  });

  it('reports why it was cancelled', () => {
    const { type, message, details } = refusal(() =>
      statements.transact([
        `INSERT INTO "Single" VALUE {'pk': 'c'}`,
        `INSERT INTO "Single" VALUE {'pk': 'a'}`,
        {
          Statement: `UPDATE "Single" SET n = 5 WHERE pk = 'b' AND n = 7`,
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
        `EXISTS(SELECT * FROM "Single" WHERE pk = 'none' AND n = 1)`,
      ]),
    );
    expect(type).toBe('TransactionCanceledException');
    expect(message).toContain('[None, DuplicateItem, ConditionalCheckFailed, ConditionalCheckFailed]');
    const failed = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
    expect(details).toEqual({
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' },
        { ...failed, Item: { pk: { S: 'b' }, n: { N: '2' } } },
        failed,
      ],
    });
    expect(count()).toBe(2);
  });

  it('is cancelled by keys that do not match their tables', () => {
    const { details } = refusal(() =>
      statements.transact([`INSERT INTO "Single" VALUE {'pk': 'c'}`, `INSERT INTO "Single" VALUE {'pk': 1}`]),
    );
    expect(details).toEqual({
      CancellationReasons: [
        { Code: 'None' },
        {
          Code: 'ValidationError',
          Message: "Key attribute's data type should match its data type in table's schema: Key pk",
        },
      ],
    });
    expect(count()).toBe(2);
  });

  it('reads items by their keys', () => {
    expect(
      statements.transact([`SELECT m.x FROM "Single" WHERE pk = 'a'`, `SELECT * FROM "Single" WHERE pk = 'none'`], {
        ReturnConsumedCapacity: 'TOTAL',
      }),
    ).toEqual({
      Responses: [{ Item: { m: { M: { x: { S: 'y' } } } } }, {}],
      ConsumedCapacity: [{ TableName: 'Single', CapacityUnits: 4, ReadCapacityUnits: 4 }],
    });
  });

  it('is carried out once per token', () => {
    const list = [`UPDATE "Single" SET n = n + 1 WHERE pk = 'a'`];
    const more = { ClientRequestToken: 'token', ReturnConsumedCapacity: 'TOTAL' };
    const units = (kind: string) => [{ TableName: 'Single', CapacityUnits: 2, [kind]: 2 }];
    expect(statements.transact(list, more).ConsumedCapacity).toEqual(units('WriteCapacityUnits'));
    expect(statements.transact(list, more)).toEqual({ Responses: [], ConsumedCapacity: units('ReadCapacityUnits') });
    expect(statements.items(`SELECT n FROM "Single" WHERE pk = 'a'`)).toEqual([{ n: { N: '2' } }]);
    expect(refusal(() => statements.transact([`DELETE FROM "Single" WHERE pk = 'a'`], more)).type).toBe(
      'IdempotentParameterMismatchException',
    );
  });

  it.each([
    [`SELECT * FROM "Single" WHERE`, "Statement wasn't well formed, can't be processed: Unexpected term"],
    [
      `SELECT * FROM "Single" WHERE pk = 'a' AND n = 1`,
      'Select statements within ExecuteTransaction must specify the primary key in the where clause.',
    ],
    [`SELECT * FROM "Double"."global" WHERE g = 'x'`, 'Reads on indices are not supported within transactions.'],
    [
      `UPDATE "Single" SET n = 1 WHERE pk = 'x' RETURNING ALL NEW *`,
      'RETURNING clause is not supported in ExecuteTransaction.',
    ],
    [
      `EXISTS(SELECT * FROM "Single" WHERE pk = 'a')`,
      'EXISTS() must contain a single item read with additional condition',
    ],
    [`INSERT INTO "Single" VALUE {'pk': ?}`, "Number of parameters in request and statement don't match."],
    ['a = 1', 'Unsupported operation in transaction.'],
  ])('refuses %s', (text, message) => {
    expect(messageOf([text])).toBe(`Validation failed in TransactStatements[0]: ${message}`);
  });

  it('refuses mixed reads and writes, and repeated items', () => {
    const insert = `INSERT INTO "Single" VALUE {'pk': 'c'}`;
    expect(messageOf([insert, `SELECT * FROM "Single" WHERE pk = 'a'`])).toBe(
      'ExecuteTransaction API does not support both read and write operations in the same request.',
    );
    expect(messageOf([insert, insert])).toBe('Transaction request cannot include multiple operations on one item');
    const read = `SELECT * FROM "Single" WHERE pk = 'a'`;
    expect(messageOf([read, read])).toBe('Transaction request cannot include multiple operations on one item');
    expect(refusal(() => statements.transact([`SELECT * FROM "Nowhere" WHERE pk = 'a'`])).type).toBe(
      'ResourceNotFoundException',
    );
  });
});
