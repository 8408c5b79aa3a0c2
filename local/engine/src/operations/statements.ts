import { Consumption, type CapacityDetail } from '../capacity.ts';
import { validationError } from '../errors.ts';
import { asStored, type Output } from '../json.ts';
import { prepare, type PreparedSelect, type PreparedWrite, type StatementInput } from '../partiql/prepare.ts';
import { type PageInput, printToken, selectPage } from '../partiql/select-page.ts';
import { addressWrite, carryOutWrite } from '../partiql/write-one.ts';
import { type Context, writing } from './operation.ts';

interface ExecuteStatementInput extends StatementInput, PageInput {
  readonly ReturnConsumedCapacity?: CapacityDetail;
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
}

export const executeStatement = writing((context, input: ExecuteStatementInput): Output => {
  const prepared = prepare(input);
  if (prepared.type === 'select') return select(context, prepared, input);
  if (prepared.type === 'other' && prepared.statement.kind !== undefined) {
    throw validationError(`Unsupported operation: ${prepared.statement.kind}`);
  }
  if (prepared.type === 'other' || prepared.type === 'exists') {
    throw validationError('EXISTS can only be used in ExecuteTransaction write requests.');
  }
  return write(context, prepared, input);
});

function select(context: Context, prepared: PreparedSelect, input: ExecuteStatementInput): Output {
  const consumption = new Consumption();
  const { items, lastKey } = selectPage(context, prepared, input, consumption);
  return {
    Items: items,
    NextToken: lastKey === undefined ? undefined : printToken(lastKey),
    LastEvaluatedKey: lastKey === undefined ? undefined : asStored(lastKey),
    ConsumedCapacity: consumption.single(input.ReturnConsumedCapacity),
  };
}

function write({ storage, now }: Context, prepared: PreparedWrite, input: ExecuteStatementInput): Output {
  const table = storage.tables.get(prepared.statement.source.table);
  const addressed = addressWrite(prepared, table);
  const { ReturnValuesOnConditionCheckFailure: returnValues } = input;
  const { effect, item } = carryOutWrite(storage, prepared, addressed, { returnValues, now: now() });
  const consumption = new Consumption();
  consumption.addWrite(table, effect);
  return {
    Items: item === undefined ? [] : [item],
    ConsumedCapacity: consumption.single(input.ReturnConsumedCapacity),
  };
}

export { batchExecuteStatement } from './batch-execute-statement.ts';
export { executeTransaction } from './execute-transaction.ts';
