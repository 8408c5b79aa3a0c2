import { Consumption, readUnits, type CapacityDetail } from '../capacity.ts';
import { EngineError, validationError } from '../errors.ts';
import type { Output } from '../json.ts';
import { parseStatement } from '../partiql/parse.ts';
import { prepare, type PreparedSelect, type PreparedWrite, type StatementInput } from '../partiql/prepare.ts';
import { addressRead, readOne } from '../partiql/select-one.ts';
import { addressWrite, carryOutWrite } from '../partiql/write-one.ts';
import type { TableDefinition } from '../schema/definition.ts';
import type { Item } from '../values/attribute-value.ts';
import { type KeyBytes } from '../values/key.ts';
import { type Context, writing } from './operation.ts';

interface BatchStatement extends StatementInput {
  readonly ConsistentRead?: boolean;
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
}

interface BatchExecuteStatementInput {
  readonly Statements: readonly BatchStatement[];
  readonly ReturnConsumedCapacity?: CapacityDetail;
}

/** The answer to one statement of a batch. */
interface StatementResponse {
  readonly TableName?: string;
  readonly Item?: Item;
  readonly Error?: { readonly Code: string; readonly Message: string; readonly Item?: Item };
}

/** A statement of a batch with the key of its item. */
interface Placed {
  readonly table: TableDefinition;
  readonly key: KeyBytes;
  /** Carries the statement out; changes nothing if it throws. */
  run(consumption: Consumption): Item | undefined;
}

/** The result of a step of a statement: a value, or the error of the statement. */
type Result<T> = { readonly value: T } | { readonly refusal: StatementResponse };

export const batchExecuteStatement = writing((context, input: BatchExecuteStatementInput): Output => {
  const prepared = input.Statements.map((statement) => attempt(() => prepareOne(statement)));
  requireNoMixture(input.Statements, prepared);
  const placed = input.Statements.map((statement, at) => {
    const result = prepared[at] as Result<PreparedSelect | PreparedWrite>;
    return 'refusal' in result ? result : attempt(() => place(context, result.value, statement));
  });
  requireNoRepeats(valuesOf(placed));
  const consumption = new Consumption();
  return {
    Responses: placed.map((result) => ('refusal' in result ? result.refusal : run(result.value, consumption))),
    ConsumedCapacity: consumption.list(input.ReturnConsumedCapacity),
  };
});

function attempt<T>(work: () => T): Result<T> {
  try {
    return { value: work() };
  } catch (error) {
    return { refusal: { Error: describe(error) } };
  }
}

function valuesOf<T>(results: readonly Result<T>[]): T[] {
  return results.flatMap((result) => ('value' in result ? [result.value] : []));
}

/** The error of one statement; its code is the short form of the type. */
function describe(error: unknown): NonNullable<StatementResponse['Error']> {
  if (!(error instanceof EngineError)) throw error;
  const { type, message, details } = error;
  const code = type === 'ValidationException' ? 'ValidationError' : type.replace(/Exception$/, '');
  const item = details['Item'] as Item | undefined;
  return { Code: code, Message: message, ...(item === undefined ? {} : { Item: item }) };
}

function prepareOne(statement: BatchStatement): PreparedSelect | PreparedWrite {
  const prepared = prepare(statement);
  const isTest = prepared.type === 'other' && prepared.statement.kind === undefined;
  if (isTest || prepared.type === 'exists') {
    throw validationError('EXISTS can only be used in ExecuteTransaction write requests.');
  }
  if (prepared.type !== 'other') return prepared;
  throw validationError('Invalid operation. Only select, insert, update and delete operations are valid');
}

/** Every statement that can be parsed counts, even with invalid parameters. */
function requireNoMixture(
  statements: readonly BatchStatement[],
  prepared: readonly Result<PreparedSelect | PreparedWrite>[],
): void {
  const kinds = prepared.map((result, at) => ('value' in result ? result.value.type : kindOf(statements[at])));
  const isWrite = (kind: string | undefined) => kind === 'insert' || kind === 'update' || kind === 'delete';
  if (kinds.includes('select') && kinds.some(isWrite)) {
    throw validationError('Read and write requests together in the same batch is not supported.');
  }
}

/** The kind of a statement; undefined if it cannot be parsed. */
function kindOf(statement: BatchStatement | undefined): string | undefined {
  const parsed = attempt(() => parseStatement(statement?.Statement ?? ''));
  return 'value' in parsed ? parsed.value.body.type : undefined;
}

function requireNoRepeats(statements: readonly Placed[]): void {
  const seen = new Set<string>();
  for (const { table, key } of statements) {
    const text = `${table.id} ${key.hash.length} ${key.hash.toString('latin1')} ${key.range.toString('latin1')}`;
    if (seen.has(text)) throw validationError('Provided list of item keys contains duplicates');
    seen.add(text);
  }
}

function place(
  { storage, now }: Context,
  prepared: PreparedSelect | PreparedWrite,
  { ConsistentRead, ReturnValuesOnConditionCheckFailure: returnValues }: BatchStatement,
): Placed {
  const table = storage.tables.get(prepared.statement.source.table);
  if (prepared.type === 'select') {
    const key = addressRead(prepared, table, 'BatchExecuteStatement');
    const runRead: Placed['run'] = (consumption) => {
      const { item, size } = readOne(storage, prepared, table, key);
      consumption.addRead(table, readUnits(size, ConsistentRead === true));
      return item;
    };
    return { table, key, run: runRead };
  }
  const addressed = addressWrite(prepared, table);
  const runWrite: Placed['run'] = (consumption) => {
    const { effect, item } = carryOutWrite(storage, prepared, addressed, { returnValues, now: now() });
    consumption.addWrite(table, effect);
    return item;
  };
  return { table, key: addressed.key, run: runWrite };
}

/** The error names the table if the statement got as far as its item. */
function run(placed: Placed, consumption: Consumption): StatementResponse {
  const { name } = placed.table;
  const result = attempt(() => placed.run(consumption));
  if ('refusal' in result) return { ...result.refusal, TableName: name };
  return { TableName: name, ...(result.value === undefined ? {} : { Item: result.value }) };
}
