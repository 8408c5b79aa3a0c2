import { Consumption, readUnits, type CapacityDetail } from '../capacity.ts';
import { requireNoKeyPaths } from '../items/check-item.ts';
import { type Output, StoredText } from '../json.ts';
import { showStored } from '../reading/item-view.ts';
import type { Item } from '../values/attribute-value.ts';
import { readKey } from '../values/key.ts';
import { bindingsOf, readItemView, type WithProjection } from './inputs.ts';
import { reading } from './operation.ts';

interface GetItemInput extends WithProjection {
  readonly TableName: string;
  readonly Key: Item;
  readonly ConsistentRead?: boolean;
  readonly ReturnConsumedCapacity?: CapacityDetail;
}

export const getItem = reading(({ storage }, input: GetItemInput): Output => {
  const bindings = bindingsOf(input);
  const shown = readItemView(input, bindings);
  bindings.requireAllUsed();
  const table = storage.tables.get(input.TableName);
  const key = readKey(input.Key, table.keys, 'were invalid:');
  requireNoKeyPaths(table, shown?.paths ?? []);
  const found = storage.items.get(table.id, key);
  const consumption = new Consumption();
  consumption.addRead(table, readUnits(found?.size ?? 0, input.ConsistentRead === true));
  return {
    Item: found === undefined ? undefined : new StoredText(showStored(found, shown)),
    ConsumedCapacity: consumption.single(input.ReturnConsumedCapacity),
  };
});
