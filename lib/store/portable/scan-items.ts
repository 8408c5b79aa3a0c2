import { ScanCommand as SdkScan } from '@aws-sdk/client-dynamodb';

import { View } from '../batches/view.ts';
import { TableCommand } from '../items/commands.ts';
import type { Item } from '../items/item.ts';
import { type Store, writerOf } from '../open-store.ts';
import { isLeftOut } from './left-out.ts';

interface ScanInput {
  readonly TableName: string;
  readonly ConsistentRead: true;
  readonly ExclusiveStartKey?: Readonly<Record<string, unknown>>;
}

interface ScanOutput {
  readonly Items?: readonly Item[];
  readonly LastEvaluatedKey?: Readonly<Record<string, unknown>>;
}

class ScanCommand extends TableCommand<ScanInput, ScanOutput> {
  readonly sdkCommand = SdkScan;
}

/**
 * Reads the whole table, in the order of the table: what bulk requests have not committed is not there. It shows what is
 * committed when it is read, whatever the clocks say, so that a copy lacks nothing. For programs of operators; no function
 * of the service may scan.
 */
export async function* scanItems(store: Store): AsyncGenerator<Item> {
  const { client, tableName, batches } = writerOf(store);
  const view = new View(batches).latest();
  let start: ScanInput['ExclusiveStartKey'];
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new ScanCommand({
        TableName: tableName,
        ConsistentRead: true,
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    yield* await view.see(Items.filter((item) => !isLeftOut(item)));
    start = LastEvaluatedKey;
  } while (start !== undefined);
}
