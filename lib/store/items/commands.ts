import {
  type AttributeValue,
  BatchExecuteStatementCommand as SdkBatchExecuteStatement,
  type BatchExecuteStatementCommandInput as SdkBatchExecuteStatementInput,
  type BatchExecuteStatementCommandOutput as SdkBatchExecuteStatementOutput,
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  DeleteItemCommand,
  type DeleteItemCommandInput,
  type DeleteItemCommandOutput,
  type DynamoDBClient,
  GetItemCommand,
  type GetItemCommandInput,
  type GetItemCommandOutput,
  PutItemCommand,
  type PutItemCommandInput,
  type PutItemCommandOutput,
  QueryCommand as SdkQuery,
  type QueryCommandInput as SdkQueryInput,
  type QueryCommandOutput as SdkQueryOutput,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  type TransactWriteItemsCommandOutput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
  type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';

import { toAttribute, toAttributes, toNatives, type Values } from './attribute-values.ts';
import { isNative } from './table-protocol.ts';

/** A type of the SDK with `Members` in place of items and keys, and values in place of attributes. */
type Native<T, Members> = T extends AttributeValue
  ? unknown
  : T extends Record<string, AttributeValue>
    ? Members
    : T extends readonly (infer Element)[]
      ? Native<Element, Members>[]
      : T extends object
        ? { [Member in keyof T]: Native<T[Member], Members> }
        : T;

/** An input of the SDK with plain values. */
type Given<T> = Native<T, object>;

/** An output of the SDK with plain values. */
type Found<T> = Native<T, Record<string, unknown>>;

/** A command of the SDK. Its input is in the form of JSON, which the types of the SDK do not describe. */
type SdkCommand = new (input: never) => Parameters<DynamoDBClient['send']>[0];

/** A request to the table with plain values. */
export abstract class TableCommand<Input extends object, Output> {
  abstract readonly sdkCommand: unknown;
  readonly input: Input;

  constructor(input: Input) {
    this.input = input;
  }

  /** Sends the request by a client of the SDK. */
  async send(client: DynamoDBClient): Promise<Output> {
    const Command = this.sdkCommand as SdkCommand;
    const answer = await client.send(new Command(this.encode() as never));
    return (isNative in answer ? answer : this.decode(answer)) as Output;
  }

  /** The input with values as attributes in the form of JSON. */
  protected encode(): Values {
    return encodeMembers(this.input);
  }

  /** The answer with plain values. */
  protected decode(answer: object): Values {
    return decodeMembers(answer);
  }
}

/** The members of requests that hold attributes. */
const attributeMembers = ['Item', 'Key', 'ExpressionAttributeValues', 'ExclusiveStartKey'];

function encodeMembers(input: object): Values {
  const encoded: Record<string, unknown> = { ...input };
  for (const name of attributeMembers) {
    if (encoded[name] !== undefined) encoded[name] = toAttributes(encoded[name] as object);
  }
  return encoded;
}

function decodeMembers(answer: object): Values {
  const decoded: Record<string, unknown> = { ...answer };
  for (const name of ['Item', 'Attributes', 'LastEvaluatedKey']) {
    if (decoded[name] !== undefined) decoded[name] = toNatives(decoded[name] as object);
  }
  if (decoded['Items'] !== undefined) decoded['Items'] = (decoded['Items'] as readonly object[]).map(toNatives);
  return decoded;
}

export class GetCommand extends TableCommand<Given<GetItemCommandInput>, Found<GetItemCommandOutput>> {
  readonly sdkCommand = GetItemCommand;
}

export class PutCommand extends TableCommand<Given<PutItemCommandInput>, Found<PutItemCommandOutput>> {
  readonly sdkCommand = PutItemCommand;
}

export type UpdateCommandInput = Given<UpdateItemCommandInput>;

export class UpdateCommand extends TableCommand<UpdateCommandInput, Found<UpdateItemCommandOutput>> {
  readonly sdkCommand = UpdateItemCommand;
}

export class DeleteCommand extends TableCommand<Given<DeleteItemCommandInput>, Found<DeleteItemCommandOutput>> {
  readonly sdkCommand = DeleteItemCommand;
}

export type QueryCommandInput = Given<SdkQueryInput>;

export class QueryCommand extends TableCommand<QueryCommandInput, Found<SdkQueryOutput>> {
  readonly sdkCommand = SdkQuery;
}

/** Keys of a batch by table. */
type KeysByTable = Readonly<Record<string, { readonly Keys: readonly object[]; readonly ConsistentRead?: boolean }>>;

export class BatchGetCommand extends TableCommand<
  { readonly RequestItems: KeysByTable },
  Found<BatchGetItemCommandOutput>
> {
  readonly sdkCommand = BatchGetItemCommand;

  protected override encode(): Values {
    return { RequestItems: mapKeys(this.input.RequestItems, toAttributes) };
  }

  protected override decode(answer: BatchGetItemCommandOutput): Values {
    return {
      ...answer,
      Responses: mapMembers(answer.Responses ?? {}, (items) => items.map(toNatives)),
      UnprocessedKeys: mapKeys((answer.UnprocessedKeys ?? {}) as KeysByTable, toNatives),
    };
  }
}

function mapKeys(tables: KeysByTable, change: (key: object) => Values): Record<string, Values> {
  return mapMembers(tables, ({ Keys, ...wanted }) => ({ ...wanted, Keys: Keys.map(change) }));
}

function mapMembers<T, R>(values: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

export interface TransactWriteCommandInput extends Given<TransactWriteItemsCommandInput> {
  /** Makes a repeat of the request harmless. */
  readonly ClientRequestToken: string;
}

export class TransactWriteCommand extends TableCommand<TransactWriteCommandInput, TransactWriteItemsCommandOutput> {
  readonly sdkCommand = TransactWriteItemsCommand;

  protected override encode(): Values {
    const writes = (this.input.TransactItems ?? []) as readonly Readonly<Record<string, object>>[];
    return { ...this.input, TransactItems: writes.map((write) => mapMembers(write, encodeMembers)) };
  }
}

export type BatchExecuteStatementCommandOutput = Found<SdkBatchExecuteStatementOutput>;

export class BatchExecuteStatementCommand extends TableCommand<
  Given<SdkBatchExecuteStatementInput>,
  BatchExecuteStatementCommandOutput
> {
  readonly sdkCommand = SdkBatchExecuteStatement;

  protected override encode(): Values {
    const Statements = this.input.Statements?.map(({ Parameters, ...statement }) =>
      Parameters === undefined ? statement : { ...statement, Parameters: Parameters.map(toAttribute) },
    );
    return { ...this.input, Statements };
  }

  protected override decode(answer: SdkBatchExecuteStatementOutput): Values {
    const Responses = answer.Responses?.map((response) => {
      const { Item, Error: error } = response;
      if (Item === undefined && error === undefined) return response;
      return { ...decodeMembers(response), ...(error === undefined ? {} : { Error: decodeMembers(error) }) };
    });
    return { ...answer, Responses };
  }
}
