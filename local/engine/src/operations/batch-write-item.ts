import { Consumption, type CapacityDetail } from '../capacity.ts';
import { mutate } from '../items/mutate.ts';
import { locateWrite, planWrite, type RequestedWrite } from '../items/plan-write.ts';
import type { Output } from '../json.ts';
import type { TableDefinition } from '../schema/definition.ts';
import { attributeOf, type Item, typeOf } from '../values/attribute-value.ts';
import { listKeyAttributes, wrongKeyError } from '../values/key.ts';
import { requireDistinct } from './batch-get-item.ts';
import { type CollectionDetail, Collections } from './collection-metrics.ts';
import { writing } from './operation.ts';

interface WriteRequest {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
}

interface BatchWriteItemInput {
  readonly RequestItems: Readonly<Record<string, readonly WriteRequest[]>>;
  readonly ReturnConsumedCapacity?: CapacityDetail;
  readonly ReturnItemCollectionMetrics?: CollectionDetail;
}

export const batchWriteItem = writing(({ storage, now }, input: BatchWriteItemInput): Output => {
  const addressed = Object.entries(input.RequestItems).map(([name, requests]) => {
    const table = storage.tables.get(name);
    const wishes = requests.map((request) => locateWrite(table, readRequestedWrite(table, request)));
    requireDistinct(wishes.map(({ key }) => key));
    return { table, wishes };
  });
  const consumption = new Consumption();
  const collections = new Collections(storage, input.ReturnItemCollectionMetrics);
  for (const { table, wishes } of addressed) {
    for (const wish of wishes) {
      const planned = planWrite(storage, wish);
      if (planned === undefined) continue;
      consumption.addWrite(table, mutate(storage, planned.mutation, now()));
      collections.add(planned.mutation);
    }
  }
  return {
    UnprocessedItems: {},
    ConsumedCapacity: consumption.list(input.ReturnConsumedCapacity),
    ItemCollectionMetrics: collections.list(),
  };
});

/** @throws ValidationException if an item to put lacks a key of the table; for puts AWS has a longer message. */
function readRequestedWrite({ keys }: TableDefinition, { PutRequest, DeleteRequest }: WriteRequest): RequestedWrite {
  if (PutRequest === undefined) return { kind: 'delete', key: DeleteRequest?.Key ?? {} };
  for (const { name, type } of listKeyAttributes(keys)) {
    const value = attributeOf(PutRequest.Item, name);
    if (value === undefined || typeOf(value) !== type) throw wrongKeyError();
  }
  return { kind: 'put', item: PutRequest.Item };
}
