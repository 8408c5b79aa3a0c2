import { Consumption, readUnits, type CapacityDetail } from '../capacity.ts';
import { refuseKeyPaths } from '../items/check-item.ts';
import { RawJson, type Output } from '../json.ts';
import { showStored } from '../reading/shown.ts';
import type { Item } from '../values/attribute-value.ts';
import { readKey } from '../values/key.ts';
import { bindingsOf, readShown, type WithProjection } from './inputs.ts';
import { reading } from './operation.ts';

interface GetItemInput extends WithProjection {
  readonly TableName: string;
  readonly Key: Item;
  readonly ConsistentRead?: boolean;
  readonly ReturnConsumedCapacity?: CapacityDetail;
}

export const getItem = reading(({ storage }, input: GetItemInput): Output => {
  const bindings = bindingsOf(input);
  const shown = readShown(input, bindings);
  bindings.requireAllUsed();
  const table = storage.tables.get(input.TableName);
  const key = readKey(input.Key, table.keys, 'were invalid:');
  refuseKeyPaths(table, shown?.paths ?? []);
  const found = storage.items.get(table.id, key);
  const consumption = new Consumption();
  consumption.addRead(table, readUnits(found?.size ?? 0, input.ConsistentRead === true));
  return {
    Item: found === undefined ? undefined : new RawJson(showStored(found, shown)),
    ConsumedCapacity: consumption.single(input.ReturnConsumedCapacity),
  };
});
