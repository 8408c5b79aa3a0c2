import { Consumption, readUnits, type CapacityDetail } from '../capacity.ts';
import { EngineError } from '../errors.ts';
import { rawList, type Output } from '../json.ts';
import { showStored } from '../reading/item-view.ts';
import type { TableDefinition } from '../schema/definition.ts';
import type { Item } from '../values/attribute-value.ts';
import { showItemText } from '../values/item-text.ts';
import { type KeyBytes, readKey } from '../values/key.ts';
import { bindingsOf, readItemView, type WithProjection } from './inputs.ts';
import { reading } from './operation.ts';
import { cancelledError, type Reason, requireOnePerItem } from './transact-write-items.ts';

interface Get extends WithProjection {
  readonly TableName: string;
  readonly Key: Item;
}

interface TransactGetItemsInput {
  readonly TransactItems: readonly { readonly Get: Get }[];
  readonly ReturnConsumedCapacity?: CapacityDetail;
}

export const transactGetItems = reading(({ storage }, input: TransactGetItemsInput): Output => {
  const wanted = input.TransactItems.map(({ Get }) => {
    const bindings = bindingsOf(Get);
    const shown = readItemView(Get, bindings);
    bindings.requireAllUsed();
    return { get: Get, shown };
  });
  const located = wanted.map(({ get, shown }) => ({ get, shown, table: storage.tables.get(get.TableName) }));
  const addressed = located.map(({ get, shown, table }, at) => ({
    shown,
    table,
    key: locate(get, table, (reason) => located.map((_one, other) => (other === at ? reason : { Code: 'None' }))),
  }));
  requireOnePerItem(addressed);
  const consumption = new Consumption({ isTransaction: true });
  const texts = addressed.map(({ shown, table, key }) => {
    const found = storage.items.get(table.id, key);
    consumption.addRead(table, readUnits(found?.size ?? 0, true));
    return found === undefined ? '{}' : `{"Item":${showItemText(showStored(found, shown))}}`;
  });
  return { Responses: rawList(texts), ConsumedCapacity: consumption.list(input.ReturnConsumedCapacity) };
});

/** @throws TransactionCanceledException if the key of a part does not match its table; AWS checks no further then. */
function locate({ Key }: Get, { keys }: TableDefinition, listReasons: (reason: Reason) => readonly Reason[]): KeyBytes {
  try {
    return readKey(Key, keys);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw cancelledError(listReasons({ Code: 'ValidationError', Message: error.message }));
  }
}
