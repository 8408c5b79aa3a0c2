import type { AttributeValue, Item } from '../src/values/attribute-value.ts';
import { spoilExpression } from './expressions.ts';
import { anyItem } from './items.ts';
import type { Random } from './random.ts';
import { capacityMember, distinctKeys } from './reads.ts';
import type { Body, JudgedRequest, Touched } from './request.ts';
import { type JudgedTable, pickKey, pickTable } from './tables.ts';
import { anyNumber, anyText } from './values.ts';

/** A PartiQL statement with the values of its parameters. */
interface Statement {
  readonly Statement: string;
  readonly Parameters?: readonly AttributeValue[];
}

/** A statement, and whether a mistake in it may lead it to any item. */
interface Written {
  readonly statement: Statement;
  readonly isSpoiled: boolean;
}

/** A value in a statement: a parameter, or a literal if that is short. */
type WriteValue = (value: AttributeValue) => string;

/** A request with one statement. */
export function anyExecuteStatement(random: Random): JudgedRequest {
  const table = pickTable(random);
  const key = pickKey(random, table);
  const isSelection = random.chance(0.45);
  const wholeKey = isSelection && table.range !== undefined ? random.chance(0.7) : true;
  const { statement, isSpoiled } = isSelection ? select(random, table, key, wholeKey) : change(random, table, key);
  const body = {
    ...statement,
    ...(random.chance(0.2) ? { ConsistentRead: random.chance(0.7) } : {}),
    ...(isSelection && random.chance(0.2) ? { Limit: random.integer(1, 5) } : {}),
    ...(random.chance(0.1) ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } : {}),
    ...capacityMember(random),
  };
  const touches = isSelection ? [] : [{ table: table.name, key }];
  return { operation: 'ExecuteStatement', body, touches, mistaken: isSpoiled, ordered: true, pages: 1 };
}

/** A request with several statements: only reads or only writes, rarely both. */
export function anyBatchExecute(random: Random): JudgedRequest {
  const table = pickTable(random);
  const keys = distinctKeys(random, table, 4);
  const isSelection = random.chance(0.5);
  const touches: Touched[] = [];
  const statements: Body[] = [];
  let mistaken = false;
  for (const key of keys) {
    const selects = random.chance(0.02) ? !isSelection : isSelection;
    if (!selects) touches.push({ table: table.name, key });
    const written = selects ? select(random, table, key, random.chance(0.98)) : change(random, table, key);
    mistaken ||= written.isSpoiled;
    statements.push({
      ...written.statement,
      ...(random.chance(0.1) ? { ConsistentRead: true } : {}),
      ...(random.chance(0.1) ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } : {}),
    });
  }
  const body = { Statements: statements, ...capacityMember(random) };
  return { operation: 'BatchExecuteStatement', body, touches, mistaken, ordered: true, pages: 1 };
}

function select(random: Random, table: JudgedTable, key: Item, wholeKey: boolean): Written {
  return compose(random, (write) => {
    const columns = random.weighted([
      [5, '*'],
      [1, 'n'],
      [1, '"name", s'],
      [1, '"map".x'],
      [0.5, '"list"[0]'],
    ] as const);
    const where = whereKey(table, key, write, wholeKey);
    const filter = random.chance(0.2) ? ` AND ${anyFilter(random, write)}` : '';
    return `SELECT ${columns} FROM "${table.name}" WHERE ${where}${filter}`;
  });
}

function change(random: Random, table: JudgedTable, key: Item): Written {
  return compose(random, (write) => {
    // Values are written in the order of the text, which is that of the parameters.
    const where = (): string => {
      const ofKey = whereKey(table, key, write, random.chance(0.99));
      return random.chance(0.2) ? `${ofKey} AND ${anyFilter(random, write)}` : ofKey;
    };
    const item = () => writeMembers(anyItem(random, table, key), write);
    return random.weighted<() => string>([
      [4, () => `INSERT INTO "${table.name}" VALUE ${item()}`],
      [5, () => `UPDATE "${table.name}" ${assignments(random, write)} WHERE ${where()}${random.pick(returnings)}`],
      [3, () => `DELETE FROM "${table.name}" WHERE ${where()}${random.pick(['', '', ' RETURNING ALL OLD *'])}`],
    ])();
  });
}

const returnings = [
  '',
  '',
  '',
  '',
  ' RETURNING ALL OLD *',
  ' RETURNING ALL NEW *',
  ' RETURNING MODIFIED OLD *',
  ' RETURNING MODIFIED NEW *',
];

/** Writes a statement with its values either as literals or as parameters. */
function compose(random: Random, writeStatement: (write: WriteValue) => string): Written {
  const parameters: AttributeValue[] = [];
  const inPlace = random.chance(0.4);
  const text = writeStatement((value) => {
    const written = inPlace ? literal(value) : undefined;
    if (written !== undefined) return written;
    parameters.push(value);
    return '?';
  });
  const isSpoiled = random.chance(0.02);
  const Statement = isSpoiled ? spoilExpression(random, text) : text;
  if (random.chance(0.01)) parameters.pop();
  return { statement: { Statement, ...(parameters.length === 0 ? {} : { Parameters: parameters }) }, isSpoiled };
}

/** The value in PartiQL's notation; undefined for types without a literal. */
function literal(value: AttributeValue): string | undefined {
  if ('S' in value) return `'${value.S.replaceAll("'", "''")}'`;
  if ('N' in value) return /^-?\d+(\.\d+)?$/.test(value.N) ? value.N : undefined;
  if ('BOOL' in value) return String(value.BOOL);
  if ('NULL' in value) return 'NULL';
  return undefined;
}

function whereKey({ hash, range }: JudgedTable, key: Item, write: WriteValue, wholeKey: boolean): string {
  const first = `"${hash.name}" = ${write(key[hash.name] as AttributeValue)}`;
  if (range === undefined || !wholeKey) return first;
  return `${first} AND "${range.name}" = ${write(key[range.name] as AttributeValue)}`;
}

function writeMembers(item: Item, write: WriteValue): string {
  const members = Object.entries(item).map(([name, value]) => `'${name}': ${write(value)}`);
  return `{${members.join(', ')}}`;
}

function assignments(random: Random, write: WriteValue): string {
  return random.weighted<() => string>([
    [4, () => `SET n = ${write(anyNumber(random))}`],
    [2, () => `SET s = ${write(anyText(random))} SET n = n + ${write(anyNumber(random))}`],
    [2, () => `REMOVE ${random.pick(['n', 's', '"map".x', '"list"[0]'])}`],
    [1, () => `SET "map".x = ${write(anyNumber(random))}`],
    [1, () => `SET "list" = list_append("list", ${write({ L: [{ N: '1' }] })})`],
    [1, () => `SET texts = set_add(texts, ${write({ SS: ['a', 'z'] })})`],
  ])();
}

function anyFilter(random: Random, write: WriteValue): string {
  return random.weighted<() => string>([
    [4, () => `n ${random.pick(['=', '<>', '<', '>'])} ${write(anyNumber(random))}`],
    [2, () => `begins_with(s, ${write(anyText(random))})`],
    [2, () => `attribute_type(n, ${write({ S: 'N' })})`],
    [1, () => `n BETWEEN ${write(anyNumber(random))} AND ${write(anyNumber(random))}`],
    [1, () => `s IN [${write(anyText(random))}, ${write(anyText(random))}]`],
    [1, () => `n IS ${random.pick(['MISSING', 'NOT MISSING', 'NULL'])}`],
    [1, () => `(n = ${write(anyNumber(random))} OR s = ${write(anyText(random))})`],
  ])();
}
