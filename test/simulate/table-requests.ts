import { tableDefinition } from '../../lib/store/items/table-definition.ts';
/** Parts of requests to the table, and answers that refuse them. */
import { type Input, transactionCancelled } from '../../local/engine/src/testing/faults.ts';
import type { Answer } from '../../local/engine/src/transport.ts';
import type { Values } from './records.ts';

/** The operations that write. */
export const writes = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'TransactWriteItems',
  'BatchExecuteStatement',
  'BatchWriteItem',
]);

/** Makes a test for the parts of a request that put a whole item. */
export function insertsOf(operation: string, input: Input): (at: number) => boolean {
  const statements = input['Statements'] as readonly { readonly Statement: string }[] | undefined;
  const parts = input['TransactItems'] as readonly { readonly Put?: unknown }[] | undefined;
  return (at) =>
    operation === 'PutItem' ||
    statements?.[at]?.Statement.startsWith('INSERT') === true ||
    parts?.[at]?.Put !== undefined;
}

/** The answer to a transaction of which the first write is refused. */
export function cancelFirst(input: Input, code: string) {
  const parts = input['TransactItems'] as readonly unknown[];
  return transactionCancelled(parts.map((_part, at) => (at === 0 ? code : 'None')));
}

/** The answer to statements that are refused. */
export function refuseStatements(input: Input, Code: string, Message: string): Answer {
  const Responses = (input['Statements'] as readonly unknown[]).map(() => ({ Error: { Code, Message } }));
  return { status: 200, body: JSON.stringify({ Responses }) };
}

/** The partitions of the items that a request writes, if it names them. */
export function partitionsOf(operation: string, input: Input): string[] {
  const of = (item: unknown) => (item as Values | undefined)?.[tableDefinition.partitionKey]?.S ?? [];
  switch (operation) {
    case 'PutItem':
      return [of(input['Item'])].flat();
    case 'UpdateItem':
    case 'DeleteItem':
      return [of(input['Key'])].flat();
    case 'TransactWriteItems':
      return (input['TransactItems'] as readonly Readonly<Record<string, Input>>[]).flatMap((part) => {
        const [action] = Object.values(part);
        return of(action?.['Item'] ?? action?.['Key']);
      });
    default:
      return [];
  }
}
