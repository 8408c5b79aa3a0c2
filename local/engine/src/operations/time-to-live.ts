import { validationError } from '../errors.ts';
import { expiryOf } from '../items/mutate.ts';
import type { Output } from '../json.ts';
import type { TableDefinition } from '../schema/definition.ts';
import type { Storage } from '../storage/storage.ts';
import { parseItem } from '../values/item-text.ts';
import { reading, writing } from './operation.ts';
import { requireTable } from './tables.ts';

interface UpdateTimeToLiveInput {
  readonly TableName: string;
  readonly TimeToLiveSpecification: { readonly Enabled: boolean; readonly AttributeName: string };
}

export const updateTimeToLive = writing(({ storage }, input: UpdateTimeToLiveInput): Output => {
  const { ttlAttribute, ...table } = requireTable(storage, input.TableName);
  const { Enabled, AttributeName } = input.TimeToLiveSpecification;
  if (Enabled) {
    if (ttlAttribute !== undefined) {
      throw validationError(
        ttlAttribute === AttributeName
          ? 'TimeToLive is already enabled'
          : `TimeToLive is active on a different AttributeName: current AttributeName is ${ttlAttribute}`,
      );
    }
    storage.tables.save({ ...table, ttlAttribute: AttributeName });
    noteExpiries(storage, table, AttributeName);
  } else {
    if (ttlAttribute === undefined) throw validationError('TimeToLive is already disabled');
    if (ttlAttribute !== AttributeName) {
      throw validationError(
        `TimeToLive is active on a different AttributeName: current AttributeName is ${ttlAttribute}`,
      );
    }
    storage.tables.save(table);
    storage.expiries.deleteTable(table.id);
  }
  return { TimeToLiveSpecification: input.TimeToLiveSpecification };
});

function noteExpiries({ items, expiries }: Storage, { id: table }: TableDefinition, attribute: string): void {
  for (const { id, text } of Array.from(items.scan(table))) {
    const at = expiryOf(parseItem(text), attribute);
    if (at !== undefined) expiries.set(table, id, at);
  }
}

export const describeTimeToLive = reading(({ storage }, { TableName }: { readonly TableName: string }): Output => {
  const { ttlAttribute } = requireTable(storage, TableName);
  return {
    TimeToLiveDescription:
      ttlAttribute === undefined
        ? { TimeToLiveStatus: 'DISABLED' }
        : { TimeToLiveStatus: 'ENABLED', AttributeName: ttlAttribute },
  };
});
