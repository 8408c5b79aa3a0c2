import { Consumption } from '../capacity.ts';
import { projectPaths } from '../expressions/projection.ts';
import { compileUpdate, type Update } from '../expressions/update.ts';
import { mutate } from '../items/mutate.ts';
import {
  locateWrite,
  ConditionFailure,
  planWrite,
  type PlannedWrite,
  type RequestedWrite,
} from '../items/plan-write.ts';
import { type Output, StoredText } from '../json.ts';
import { type AttributeUpdates, updateOfAttributeUpdates } from '../legacy/attribute-updates.ts';
import type { Item } from '../values/attribute-value.ts';
import { describeCollection } from './collection-metrics.ts';
import { bindingsOf, readCondition, type WriteInput } from './inputs.ts';
import { writing, type Context } from './operation.ts';

interface PutItemInput extends WriteInput {
  readonly Item: Item;
}

interface DeleteItemInput extends WriteInput {
  readonly Key: Item;
}

interface UpdateItemInput extends DeleteItemInput {
  readonly UpdateExpression?: string;
  readonly AttributeUpdates?: AttributeUpdates;
}

export const putItem = writing((context, input: PutItemInput) => {
  const bindings = bindingsOf(input);
  const condition = readCondition(input, bindings);
  bindings.requireAllUsed();
  return write(context, input, { kind: 'put', item: input.Item, condition });
});

export const deleteItem = writing((context, input: DeleteItemInput) => {
  const bindings = bindingsOf(input);
  const condition = readCondition(input, bindings);
  bindings.requireAllUsed();
  return write(context, input, { kind: 'delete', key: input.Key, condition });
});

export const updateItem = writing((context, input: UpdateItemInput) => {
  const bindings = bindingsOf(input);
  const update = readUpdate(input, bindings);
  const condition = readCondition(input, bindings);
  bindings.requireAllUsed();
  return write(context, input, { kind: 'update', key: input.Key, update, condition });
});

function readUpdate(input: UpdateItemInput, bindings: ReturnType<typeof bindingsOf>): Update | undefined {
  if (input.UpdateExpression !== undefined) return compileUpdate(input.UpdateExpression, bindings);
  return input.AttributeUpdates === undefined ? undefined : updateOfAttributeUpdates(input.AttributeUpdates);
}

function write({ storage, now }: Context, input: WriteInput, wish: RequestedWrite): Output {
  const table = storage.tables.get(input.TableName);
  const addressed = locateWrite(table, wish);
  let planned: PlannedWrite | undefined;
  try {
    planned = planWrite(storage, addressed);
  } catch (error) {
    throw error instanceof ConditionFailure ? error.toError(input.ReturnValuesOnConditionCheckFailure) : error;
  }
  if (planned === undefined) throw new Error('a check alone is no write');
  const consumption = new Consumption();
  consumption.addWrite(table, mutate(storage, planned.mutation, now()));
  return {
    Attributes: showAttributes(planned, input.ReturnValues),
    ConsumedCapacity: consumption.single(input.ReturnConsumedCapacity),
    ItemCollectionMetrics:
      input.ReturnItemCollectionMetrics === 'SIZE' ? describeCollection(storage, planned.mutation) : undefined,
  };
}

function showAttributes({ mutation, paths }: PlannedWrite, returnValues: WriteInput['ReturnValues']): unknown {
  const { before, after } = mutation;
  switch (returnValues) {
    case 'ALL_OLD':
      return before === undefined ? undefined : new StoredText(before.stored.text);
    case 'ALL_NEW':
      return after;
    case 'UPDATED_OLD':
      return nonEmpty(before === undefined ? undefined : projectPaths(before.item, paths));
    case 'UPDATED_NEW':
      return nonEmpty(after === undefined ? undefined : projectPaths(after, paths));
    default:
      return undefined;
  }
}

function nonEmpty(item: Item | undefined): Item | undefined {
  return item === undefined || Object.keys(item).length === 0 ? undefined : item;
}
