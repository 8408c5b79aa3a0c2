import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

import { DeleteCommand, GetCommand, UpdateCommand } from '../items/commands.ts';
import type { Expressions } from '../items/expressions.ts';
import { type Item, type Patch, stagedPrefix } from '../items/item.ts';
import type { Key } from '../keys/key-parts.ts';
import type { Writer } from './writer.ts';

/** Reads an item as it is stored, with staged changes beside its values. */
export async function getItem({ client, tableName }: Writer, { PK, SK }: Key): Promise<Item | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: { PK, SK }, ConsistentRead: true }));
  return Item as Item | undefined;
}

/** The change that a batch has staged on an item, if it is there. */
export function stagedPatch(item: Item, batch: string): Patch | undefined {
  const staged = item[stagedPrefix + batch] as Patch | undefined;
  return staged ?? (item.gone === batch ? { delete: true } : undefined);
}

/** Sends a conditional write; returns whether its condition held. */
export async function sendIfHolds(writer: Writer, { PK, SK }: Key, expressions: Expressions): Promise<boolean> {
  const { UpdateExpression, ...condition } = expressions;
  const parameters = { TableName: writer.tableName, Key: { PK, SK }, ...condition };
  try {
    await (UpdateExpression === undefined
      ? writer.client.send(new DeleteCommand(parameters))
      : writer.client.send(new UpdateCommand({ ...parameters, UpdateExpression })));
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return false;
  }
}
