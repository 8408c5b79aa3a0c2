import { hash as digestOf } from 'node:crypto';

import { Consumption, type CapacityDetail } from '../capacity.ts';
import { EngineError, validationError } from '../errors.ts';
import type { Condition } from '../expressions/condition.ts';
import { compileUpdate } from '../expressions/update.ts';
import { mutate } from '../items/mutate.ts';
import {
  type AddressedWrite,
  locateWrite,
  ConditionFailure,
  planWrite,
  type PlannedWrite,
  type RequestedWrite,
} from '../items/plan-write.ts';
import type { Output } from '../json.ts';
import type { TableDefinition } from '../schema/definition.ts';
import type { Storage } from '../storage/storage.ts';
import type { Item } from '../values/attribute-value.ts';
import { itemSize } from '../values/size.ts';
import { type CollectionDetail, Collections } from './collection-metrics.ts';
import { bindingsOf, readCondition, type WithCondition } from './inputs.ts';
import { type Context, writing } from './operation.ts';

interface Action extends WithCondition {
  readonly TableName: string;
  readonly Item?: Item;
  readonly Key?: Item;
  readonly UpdateExpression?: string;
}

/** A part of a request: exactly one of the members. */
interface TransactItem {
  readonly ConditionCheck?: Action;
  readonly Put?: Action;
  readonly Delete?: Action;
  readonly Update?: Action;
}

interface TransactWriteItemsInput {
  readonly TransactItems: readonly TransactItem[];
  readonly ClientRequestToken?: string;
  readonly ReturnConsumedCapacity?: CapacityDetail;
  readonly ReturnItemCollectionMetrics?: CollectionDetail;
}

/** A part of a transaction: the requested write, and whether the caller wants the item if its condition is false. */
export interface Part {
  readonly tableName: string;
  readonly wish: RequestedWrite;
  readonly showsItem: boolean;
}

const maxRequestBytes = 4 * 2 ** 20;

export const transactWriteItems = writing((context, input: TransactWriteItemsInput): Output => {
  const parts = input.TransactItems.map(readPart);
  requireSmall(parts);
  // DynamoDB looks for the token before it looks for the tables.
  const repeats = isRepeat(context, input.ClientRequestToken, input.TransactItems);
  const tables = parts.map(({ tableName }) => context.storage.tables.get(tableName));
  if (repeats) {
    return showRepeat(context, parts, tables, input.ReturnConsumedCapacity);
  }
  const planned = planTogether(context.storage, parts, tables);
  return carryOut(context, planned, input);
});

function readPart({ ConditionCheck, Put, Delete, Update }: TransactItem): Part {
  const action = (ConditionCheck ?? Put ?? Delete ?? Update) as Action;
  const bindings = bindingsOf(action);
  const update = action.UpdateExpression === undefined ? undefined : compileUpdate(action.UpdateExpression, bindings);
  const condition = readCondition(action, bindings);
  bindings.requireAllUsed();
  const { TableName: tableName, Item: item = {}, Key: key = {} } = action;
  const showsItem = action.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  const part = (wish: RequestedWrite) => ({ tableName, wish, showsItem });
  if (Put !== undefined) return part({ kind: 'put', item, condition });
  if (Delete !== undefined) return part({ kind: 'delete', key, condition });
  if (Update !== undefined) return part({ kind: 'update', key, update, condition });
  return part({ kind: 'check', key, condition: condition as Condition });
}

function requireSmall(parts: readonly Part[]): void {
  const size = parts.reduce((sum, { wish }) => sum + itemSize(wish.kind === 'put' ? wish.item : wish.key), 0);
  if (size > maxRequestBytes) throw validationError('Transaction request size cannot exceed 4194304 bytes');
}

/**
 * Whether a transaction repeats one that was committed. Stores the token of a new one if it is committed.
 *
 * @throws IdempotentParameterMismatchException if the token came with another request.
 */
export function isRepeat({ storage, now }: Context, token: string | undefined, request: unknown): boolean {
  if (token === undefined) return false;
  const known = storage.tokens.find(token, now());
  if (known === undefined) return false;
  if (known === digest(request)) return true;
  throw new EngineError(
    'IdempotentParameterMismatchException',
    'The request uses the same client token as a previous, but non-identical request. ' +
      'Do not reuse a client token with different requests, unless the requests are identical',
  );
}

/** Stores the token of a committed transaction. */
export function noteToken({ storage, now }: Context, token: string | undefined, request: unknown): void {
  if (token !== undefined) storage.tokens.add(token, digest(request), now());
}

const digest = (request: unknown) => digestOf('sha256', JSON.stringify(request), 'base64');

/** A repeat reads the written items and costs as much. */
export function showRepeat(
  { storage }: Context,
  parts: readonly Part[],
  tables: readonly TableDefinition[],
  detail: CapacityDetail | undefined,
): Output {
  const consumption = new Consumption({ isTransaction: true });
  for (const [at, { wish }] of parts.entries()) {
    const table = tables[at];
    if (table === undefined) continue;
    const { key } = locateWrite(table, wish);
    consumption.addRead(table, Math.max(1, Math.ceil((storage.items.get(table.id, key)?.size ?? 0) / 4096)));
  }
  return { ConsumedCapacity: consumption.list(detail) };
}

/** Why one part of a transaction cancels it. */
export interface Reason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: Item;
}

/**
 * Decides all parts of a transaction before any of them changes anything.
 *
 * @returns the write of each part; undefined for checks.
 * @throws ValidationException, or TransactionCanceledException with the reasons of all parts.
 */
export function planTogether(
  storage: Storage,
  parts: readonly Part[],
  tables: readonly TableDefinition[],
): (PlannedWrite | undefined)[] {
  const reasons: Reason[] = [];
  const addressed: AddressedWrite[] = [];
  for (const [at, { wish }] of parts.entries()) {
    try {
      addressed.push(locateWrite(tables[at] as TableDefinition, wish));
    } catch (error) {
      // AWS checks no further once a part does not match its table.
      throw cancelledError(parts.map((_part, other) => (other === at ? reasonOf(error, false) : { Code: 'None' })));
    }
  }
  requireOnePerItem(addressed);
  const planned = addressed.map((wish, at) => {
    try {
      return planWrite(storage, wish);
    } catch (error) {
      reasons[at] = reasonOf(error, parts[at]?.showsItem === true);
      return undefined;
    }
  });
  if (reasons.length > 0) throw cancelledError(Array.from(parts, (_part, at) => reasons[at] ?? { Code: 'None' }));
  return planned;
}

function reasonOf(error: unknown, showsItem: boolean): Reason {
  if (error instanceof ConditionFailure) {
    const item = showsItem ? error.existing?.item : undefined;
    return {
      Code: 'ConditionalCheckFailed',
      Message: error.message,
      ...(item === undefined ? {} : { Item: item }),
    };
  }
  if (!(error instanceof EngineError) || error.type !== 'ValidationException') throw error;
  return { Code: 'ValidationError', Message: error.message };
}

/** @throws ValidationException if a transaction names an item twice. */
export function requireOnePerItem(addressed: readonly Pick<AddressedWrite, 'table' | 'key'>[]): void {
  const seen = new Set<string>();
  for (const { table, key } of addressed) {
    const { hash, range } = key;
    const text = `${table.id} ${hash.length} ${hash.toString('latin1')} ${range.toString('latin1')}`;
    if (seen.has(text)) throw validationError('Transaction request cannot include multiple operations on one item');
    seen.add(text);
  }
}

/** The error of a cancelled transaction. */
export function cancelledError(reasons: readonly Reason[]): EngineError {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new EngineError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}

function carryOut(
  context: Context,
  planned: readonly (PlannedWrite | undefined)[],
  input: TransactWriteItemsInput,
): Output {
  const { storage, now } = context;
  const consumption = new Consumption({ isTransaction: true });
  const collections = new Collections(storage, input.ReturnItemCollectionMetrics);
  for (const [at, plan] of planned.entries()) {
    if (plan === undefined) {
      addCheck(context, consumption, input.TransactItems[at]?.ConditionCheck);
      continue;
    }
    consumption.addWrite(plan.mutation.table, mutate(storage, plan.mutation, now()));
    collections.add(plan.mutation);
  }
  noteToken(context, input.ClientRequestToken, input.TransactItems);
  return {
    ConsumedCapacity: consumption.list(input.ReturnConsumedCapacity),
    ItemCollectionMetrics: collections.list(),
  };
}

/** A check costs as much as a write of the item. */
function addCheck({ storage }: Context, consumption: Consumption, check: Action | undefined): void {
  if (check?.Key === undefined) return;
  const table = storage.tables.get(check.TableName);
  const { key } = locateWrite(table, { kind: 'delete', key: check.Key });
  consumption.addWrite(table, { size: storage.items.get(table.id, key)?.size ?? 0, indexes: [] });
}
