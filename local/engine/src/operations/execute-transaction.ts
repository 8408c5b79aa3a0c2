import { Consumption, readUnits, type CapacityDetail } from '../capacity.ts';
import { EngineError, validationError, tableNotFoundError } from '../errors.ts';
import { mutate } from '../items/mutate.ts';
import type { PlannedWrite, RequestedWrite } from '../items/plan-write.ts';
import type { Output } from '../json.ts';
import { requireKeyValues } from '../partiql/item-key.ts';
import { prepare, type PreparedSelect, type PreparedWrite, type StatementInput } from '../partiql/prepare.ts';
import { duplicateItemError, toRequestedWrite } from '../partiql/requested-write.ts';
import { findReadKey, readOne } from '../partiql/select-one.ts';
import type { TableDefinition } from '../schema/definition.ts';
import { readKey } from '../values/key.ts';
import { type Context, writing } from './operation.ts';
import { cancelledError, isRepeat, noteToken, planTogether, showRepeat } from './transact-write-items.ts';

interface TransactStatement extends StatementInput {
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
}

interface ExecuteTransactionInput {
  readonly TransactStatements: readonly TransactStatement[];
  readonly ClientRequestToken?: string;
  readonly ReturnConsumedCapacity?: CapacityDetail;
}

type Prepared = PreparedSelect | PreparedWrite;

/** A statement with its table and its requested write. */
interface Placed<P extends Prepared> {
  readonly prepared: P;
  readonly table: TableDefinition;
  readonly wish: RequestedWrite;
}

export const executeTransaction = writing((context, input: ExecuteTransactionInput): Output => {
  const prepared = input.TransactStatements.map((statement, at) =>
    withStatementNumber(at, () => prepareOne(statement)),
  );
  const reads = prepared.filter((statement) => statement.type === 'select');
  if (reads.length > 0 && reads.length < prepared.length) {
    throw validationError(
      'ExecuteTransaction API does not support both read and write operations in the same request.',
    );
  }
  return reads.length > 0 ? readAll(context, reads, input) : writeAll(context, prepared, input);
});

/** Adds the number of the statement to an error. */
function withStatementNumber<T>(at: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== 'ValidationException') throw error;
    throw validationError(`Validation failed in TransactStatements[${at}]: ${error.message}`);
  }
}

function prepareOne(statement: TransactStatement): Prepared {
  const prepared = prepare(statement);
  if (prepared.type === 'other') {
    const { kind } = prepared.statement;
    throw validationError(
      kind === undefined ? 'Unsupported operation in transaction.' : `Unsupported operation: ${kind}`,
    );
  }
  if ('returning' in prepared.statement && prepared.statement.returning !== undefined) {
    throw validationError('RETURNING clause is not supported in ExecuteTransaction.');
  }
  if (prepared.statement.source.index !== undefined) {
    throw validationError(
      prepared.type === 'select'
        ? 'Reads on indices are not supported within transactions.'
        : 'Operations on indices are not supported in transactions',
    );
  }
  return prepared;
}

function place<P extends Prepared>(
  { storage }: Context,
  statements: readonly P[],
  wishFor: (prepared: P, table: TableDefinition) => RequestedWrite,
): Placed<P>[] {
  const tables = statements.map(({ statement }) => storage.tables.find(statement.source.table));
  const placed = statements.map((prepared, at) => {
    const table = tables[at];
    if (table === undefined) throw tableNotFoundError();
    return { prepared, table, wish: withStatementNumber(at, () => wishFor(prepared, table)) };
  });
  requireValidKeys(placed);
  return placed;
}

/** Keys that do not match their tables cancel the transaction. */
function requireValidKeys(placed: readonly Placed<Prepared>[]): void {
  const reasons = placed.map(({ table, wish }) => {
    try {
      requireKeyValues(wish.kind === 'put' ? wish.item : wish.key, table.keys);
    } catch (error) {
      if (error instanceof EngineError) return { Code: 'ValidationError', Message: error.message };
      throw error;
    }
    return { Code: 'None' };
  });
  if (reasons.some(({ Code }) => Code !== 'None')) throw cancelledError(reasons);
}

function readAll(context: Context, statements: readonly PreparedSelect[], input: ExecuteTransactionInput): Output {
  const placed = place(context, statements, (prepared, table) => ({
    kind: 'delete',
    key: findReadKey(prepared, table, 'ExecuteTransaction'),
  }));
  // Planning without carrying out detects two reads of one item.
  planTogether(
    context.storage,
    placed.map(({ table, wish }) => ({ tableName: table.name, wish, showsItem: false })),
    placed.map(({ table }) => table),
  );
  const consumption = new Consumption({ isTransaction: true });
  const responses = placed.map(({ prepared, table, wish }) => {
    const key = readKey(wish.kind === 'put' ? wish.item : wish.key, table.keys);
    const { item, size } = readOne(context.storage, prepared, table, key);
    consumption.addRead(table, readUnits(size, true));
    return item === undefined ? {} : { Item: item };
  });
  return { Responses: responses, ConsumedCapacity: consumption.list(input.ReturnConsumedCapacity) };
}

function writeAll(context: Context, statements: readonly Prepared[], input: ExecuteTransactionInput): Output {
  const writes = statements.filter((prepared) => prepared.type !== 'select');
  const placed = place(context, writes, toRequestedWrite);
  const parts = placed.map(({ table, wish }, at) => ({
    tableName: table.name,
    wish,
    showsItem: input.TransactStatements[at]?.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
  }));
  const tables = placed.map(({ table }) => table);
  if (isRepeat(context, input.ClientRequestToken, input.TransactStatements)) {
    return { ...showRepeat(context, parts, tables, input.ReturnConsumedCapacity), Responses: [] };
  }
  let planned: (PlannedWrite | undefined)[];
  try {
    planned = planTogether(context.storage, parts, tables);
  } catch (error) {
    throw nameDuplicates(error, placed);
  }
  const consumption = carryOut(context, placed, planned);
  noteToken(context, input.ClientRequestToken, input.TransactStatements);
  return { Responses: [], ConsumedCapacity: consumption.list(input.ReturnConsumedCapacity) };
}

/** An INSERT fails if its item exists; AWS gives that another code than a false condition. */
function nameDuplicates(error: unknown, placed: readonly Placed<PreparedWrite>[]): unknown {
  const reasons = error instanceof EngineError ? error.details['CancellationReasons'] : undefined;
  if (!Array.isArray(reasons)) return error;
  return cancelledError(
    reasons.map((reason: { readonly Code: string }, at) =>
      placed[at]?.prepared.type === 'insert' && reason.Code === 'ConditionalCheckFailed'
        ? { Code: 'DuplicateItem', Message: duplicateItemError().message }
        : reason,
    ),
  );
}

function carryOut(
  { storage, now }: Context,
  placed: readonly Placed<PreparedWrite>[],
  planned: readonly (PlannedWrite | undefined)[],
): Consumption {
  const consumption = new Consumption({ isTransaction: true });
  for (const [at, { table, wish }] of placed.entries()) {
    const plan = planned[at];
    if (plan !== undefined) {
      consumption.addWrite(table, mutate(storage, plan.mutation, now()));
    } else if (wish.kind === 'check') {
      const stored = storage.items.get(table.id, readKey(wish.key, table.keys));
      consumption.addWrite(table, { size: stored?.size ?? 0, indexes: [] });
    }
  }
  return consumption;
}
