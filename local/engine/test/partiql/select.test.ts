import { beforeAll, describe, expect, it } from 'vitest';

import { refusal, Statements } from './support.ts';

const statements = new Statements();

beforeAll(() => {
  for (let i = 0; i < 5; i += 1) {
    statements.run(
      `INSERT INTO "Double" VALUE {'pk': 'a', 'sk': ?, 'g': ?, 'l': ?, 'n': ?, 'm': {'x': 'y', 'z.z': 1}, 'li': [1, 'b'],
        'ss': <<'a', 'b'>>, 'nul': NULL, 'shown': true}`,
      [{ S: `s${i}` }, { S: `g${i % 2}` }, { N: String(10 - i) }, { N: String(i) }],
    );
  }
  statements.run(`INSERT INTO "Double" VALUE {'pk': 'b', 'sk': 's0', 'data': <<1>>}`);
});

/** The last digits of the sort keys that match a condition among the items of one hash key. */
const found = (condition: string) =>
  statements
    .items(`SELECT sk FROM "Double" WHERE pk = 'a' AND ${condition}`)
    .map(({ sk }) => (sk !== undefined && 'S' in sk ? sk.S.slice(1) : ''))
    .join('');

const messageOf = (text: string, ...more: [object?]) => refusal(() => statements.run(text, undefined, ...more)).message;

describe('conditions', () => {
  it.each([
    ['n = 1', '1'],
    ['n <> 1', '0234'],
    ['n != 1', '0234'],
    ['2 > n', '01'],
    ['n BETWEEN 1 AND 2', '12'],
    ['n NOT BETWEEN 1 AND 2', '034'],
    ['n IN [1, 2]', '12'],
    ['n IN (1)', '1'],
    ['n NOT IN [1, 2]', '034'],
    ['NOT (n = 1 OR n = 2)', '034'],
    ['n IS MISSING', ''],
    ['n IS NOT MISSING', '01234'],
    ['nul IS NULL', '01234'],
    ['q IS NOT NULL', '01234'],
    ['n IS NUMERIC', '01234'],
    ['m IS STRUCT', '01234'],
    ["begins_with(sk, 's1')", '1'],
    ["contains(ss, 'a') AND contains(li, 'b')", '01234'],
    ['size(ss) = 2', '01234'],
    ["attribute_type(n, 'N')", '01234'],
    ['attribute_exists(m.x) = true', '01234'],
    ['attribute_not_exists(m.q)', '01234'],
    [`m.x = 'y' AND m."z.z" = 1.0 AND li[0] = 1`, '01234'],
    [`m = {'z.z': 1, 'x': 'y'}`, '01234'],
    [`ss = <<'b', 'a'>>`, '01234'],
    ["(sk = 's1' OR n = 2)", '12'],
    ["NOT sk = 's1' AND n > 2", '34'],
    ["sk IN ['s3', 's1', 's1']", '13'],
    ["sk >= 's1' AND sk < 's3'", '12'],
    ["'s1' < sk AND 's3' >= sk", '23'],
    ["sk > 's3' AND sk < 's2'", ''],
    ["sk = 's1' AND sk = 's2'", ''],
    ["pk = 'b'", ''],
  ])('%s', (condition, keys) => {
    expect(found(condition)).toBe(keys);
  });

  it.each([
    ['n < true', 'Incorrect operand type for operator or function; operator or function: <, operand type: BOOL'],
    [
      'n = n',
      'The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [n]',
    ],
    ['n = MISSING', 'MISSING must be compared using IS operator'],
    ['n + 1 = 2', 'Unsupported operator in Condition Expression. Operator: +'],
    ['n', 'The arguments to AND/OR must be Expressions'],
    ['NOT n', 'The argument to NOT must be a Type or Expression'],
    [
      'n IN li',
      'IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq with at least one member',
    ],
    ['size(1) = 1', 'Incorrect operand type for operator or function; operator or function: size, operand type: N'],
    ["attribute_exists('n')", 'Operator or function requires a document path; operator or function: attribute_exists'],
    ['EXISTS(n)', 'Unrecognized function: exists at 1:43:6'],
    [
      "attribute_type(n, 'X')",
      'Invalid attribute type name found; type: X, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}',
    ],
    [
      'n BETWEEN 2 AND 1',
      'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}',
    ],
    ['sk = 1', "Key attribute's data type should match its data type in table's schema: Key sk"],
    [
      "sk = ''",
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk',
    ],
    ['sk <> 1', 'One or more parameter values were invalid: Condition parameter type does not match schema type'],
    ['sk.x = 1', "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: sk"],
    [
      'n = 1e126',
      'Number overflow. Attempting to store a number with magnitude larger than supported range under root',
    ],
  ])('refuses %s', (condition, message) => {
    expect(messageOf(`SELECT * FROM "Double" WHERE pk = 'a' AND ${condition}`)).toBe(message);
  });

  it('refuses alternatives with overlapping sort keys, unless they only exclude some', () => {
    const where = (condition: string) => `SELECT * FROM "Double" WHERE ${condition}`;
    expect(messageOf(where(`pk = 'a' AND n <> 1 OR pk = 'a' AND sk = 's2'`))).toBe(
      'Overlapping conditions with range keys are not supported in where clause',
    );
    expect(statements.items(where(`pk = 'a' AND NOT sk = 's1' OR pk = 'a' AND sk = 's2'`))).toHaveLength(4);
    expect(statements.items(where(`pk = 'a' OR pk = 'a' AND sk <> 's1'`))).toHaveLength(5);
    expect(statements.items(where(`pk = 'a' AND sk = 's1' OR pk = 'b' AND sk = 's0'`))).toHaveLength(2);
  });

  it('checks operands before the table', () => {
    expect(messageOf('SELECT * FROM "Nowhere" WHERE n < true')).toContain('Incorrect operand type');
    expect(refusal(() => statements.run('SELECT * FROM "Nowhere" WHERE n = 1')).type).toBe('ResourceNotFoundException');
  });

  it('requires as many parameters as the statement has', () => {
    for (const parameters of [undefined, [], [{ S: 'a' }, { S: 'b' }]]) {
      expect(refusal(() => statements.run('SELECT * FROM "Double" WHERE pk = ?', parameters)).message).toBe(
        "Number of parameters in request and statement don't match.",
      );
    }
  });
});

describe('the answer', () => {
  it('has each value under the last name of its path', () => {
    expect(statements.items(`SELECT m.x, m."z.z", li[1], nope, ss FROM "Double" WHERE pk = 'a' AND sk = 's1'`)).toEqual(
      [{ x: { S: 'y' }, 'z.z': { N: '1' }, 'li[1]': { S: 'b' }, ss: { SS: ['a', 'b'] } }],
    );
    expect(statements.items(`SELECT nope FROM "Double" WHERE pk = 'b'`)).toEqual([{}]);
  });
});

describe('pages', () => {
  const readAll = (statement: string, limit: number) => {
    const keys: unknown[] = [];
    let token: string | undefined;
    for (let pages = 0; pages < 10; pages += 1) {
      const page = statements.run(statement, undefined, {
        Limit: limit,
        ...(token === undefined ? {} : { NextToken: token }),
      });
      expect(page.LastEvaluatedKey === undefined).toBe(page.NextToken === undefined);
      keys.push(
        ...(page.Items ?? []).map(({ pk, sk }) => [pk, sk].map((value) => Object.values(value ?? {})[0]).join(' ')),
      );
      token = page.NextToken;
      if (token === undefined) return keys;
    }
    throw new Error('the pages do not end');
  };

  it.each([
    ['', 'a s0,a s1,a s2,a s3,a s4,b s0'],
    [`WHERE pk IN ['b', 'a', 'a']`, 'a s0,a s1,a s2,a s3,a s4,b s0'],
    [`WHERE pk = 'a' ORDER BY sk DESC`, 'a s4,a s3,a s2,a s1,a s0'],
    [`WHERE pk = 'a' AND sk IN ['s1', 's3', 's4'] ORDER BY sk DESC`, 'a s4,a s3,a s1'],
    [`WHERE pk IN ['a', 'b'] ORDER BY pk DESC, sk ASC`, 'b s0,a s0,a s1,a s2,a s3,a s4'],
    [`WHERE pk IN ['a', 'b'] ORDER BY sk`, 'a s0,b s0,a s1,a s2,a s3,a s4'],
    [`WHERE pk IN ['a', 'b'] ORDER BY sk DESC`, 'a s4,a s3,a s2,a s1,a s0,b s0'],
    [`WHERE pk = 'a' AND n > 2`, 'a s3,a s4'],
  ])('of SELECT %s', (rest, keys) => {
    for (const limit of [1, 2, 3, 100]) {
      expect(readAll(`SELECT pk, sk FROM "Double" ${rest}`, limit).join(',')).toBe(keys);
    }
  });

  it('of indexes', () => {
    const local = readAll(`SELECT pk, sk FROM "Double"."local" WHERE pk = 'a' AND l < 10 ORDER BY l DESC`, 1);
    expect(local.join(',')).toBe('a s1,a s2,a s3,a s4');
    expect(readAll(`SELECT pk, sk FROM "Double"."global" WHERE g IN ['g1', 'g0']`, 2)).toHaveLength(5);
    expect(readAll(`SELECT pk, sk FROM "Double"."global" WHERE g IN ['g1', 'g0'] ORDER BY sk DESC`, 2).join(',')).toBe(
      'a s4,a s3,a s2,a s1,a s0',
    );
  });

  it('require a valid token', () => {
    for (const token of ['nothing', btoa('null'), btoa('{"lastKey":{"pk":{"N":"1"}}}')]) {
      expect(messageOf('SELECT * FROM "Double"', { NextToken: token })).toBe('Invalid NextToken');
    }
  });

  it.each([
    ['ORDER BY sk', 'Must have WHERE clause in the statement when using ORDER BY clause.'],
    [
      `WHERE sk > 's1' ORDER BY sk`,
      'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
    ],
    [`WHERE pk = 'a' ORDER BY n`, 'Variable reference n in ORDER BY clause must be part of the primary key'],
  ])('cannot be ordered by %s', (rest, message) => {
    expect(messageOf(`SELECT * FROM "Double" ${rest}`)).toBe(message);
  });
});

describe('indexes', () => {
  it('answer their projections', () => {
    const [item] = statements.items(`SELECT * FROM "Double"."local" WHERE pk = 'a' AND l = 9`);
    expect(Object.keys(item ?? {}).sort()).toEqual(['l', 'pk', 'shown', 'sk']);
    expect(statements.items(`SELECT n FROM "Double"."local" WHERE pk = 'a' AND l = 9`)).toEqual([{ n: { N: '1' } }]);
  });

  it.each([
    [
      `SELECT n FROM "Double"."global"`,
      'One or more parameter values were invalid: Global secondary index global does not project [n]',
    ],
    [
      `SELECT pk FROM "Double"."global" WHERE g = 'x' AND n = 1`,
      'One or more parameter values were invalid: Secondary index global does not project one or more filter attributes: [n]',
    ],
    [
      `SELECT pk FROM "Double"."local" WHERE pk = 'x' AND n = 1`,
      'One or more parameter values were invalid: Secondary index local does not project one or more filter attributes: [n]',
    ],
    [`SELECT pk FROM "Double"."nope"`, 'The table does not have the specified index'],
  ])('refuse %s', (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it('are not read consistently if they are global', () => {
    expect(messageOf(`SELECT pk FROM "Double"."global"`, { ConsistentRead: true })).toBe(
      'Strongly consistent read is not supported on Global Secondary Indexes',
    );
  });

  it('count additional reads from the table', () => {
    const { ConsumedCapacity } = statements.run(`SELECT n FROM "Double"."local" WHERE pk = 'a'`, undefined, {
      ReturnConsumedCapacity: 'INDEXES',
      ConsistentRead: true,
    });
    expect(ConsumedCapacity).toEqual({
      TableName: 'Double',
      CapacityUnits: 6,
      Table: { CapacityUnits: 5 },
      LocalSecondaryIndexes: { local: { CapacityUnits: 1 } },
    });
  });
});
