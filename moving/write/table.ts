import {
  BatchWriteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  ScanCommand,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';

import { parseNamed } from '../../lib/json-names.ts';
import { forEachLimited } from '../../lib/parallel.ts';
import { backOff } from '../../lib/retry.ts';
import { PlainProtocol } from '../../lib/store/items/table-protocol.ts';
import { createTable } from '../../local/table.ts';
import { UsageError } from '../rucio/source.ts';
import type { ItemKey, PreparedItem } from './prepared-item.ts';
import type { Target } from './target.ts';
import { deleteRequests, putRequests } from './write-requests.ts';

/** Requests in flight; each takes up to 25 items. */
const defaultParallelRequests = 16;

/** For what a request left undone; some minutes. */
const policy = { attempts: 60, firstPauseMs: 50, longestPauseMs: 10_000 };

const streamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;

type WriteRequests = Readonly<Record<string, readonly unknown[]>>;

/**
 * A table of DynamoDB, which is made if it does not exist. While it is being filled it has no stream, so that nothing reacts to
 * the items.
 */
export class DynamoTable implements Target {
  readonly address: string;
  readonly progress = '';
  readonly #tableName: string;
  readonly #client: DynamoDBClient;
  /** Has the form of JSON in both directions, as the prepared items have. */
  readonly #plain: DynamoDBClient;
  readonly #parallelRequests: number;

  constructor(tableName: string, options: DynamoDBClientConfig = {}, parallelRequests = defaultParallelRequests) {
    this.address = `the table ${tableName}`;
    this.#tableName = tableName;
    this.#client = new DynamoDBClient(options);
    this.#plain = new DynamoDBClient({ ...options, protocol: PlainProtocol, maxAttempts: 10 });
    this.#parallelRequests = parallelRequests;
  }

  async open(progress: string | undefined): Promise<void> {
    try {
      await createTable(this.#client, this.#tableName, { stream: false });
    } catch (error) {
      throw toUsageError(error, this.#tableName);
    }
    if (progress === undefined) {
      const { Count = 0 } = await this.#client.send(new ScanCommand({ TableName: this.#tableName, Limit: 1 }));
      if (Count > 0)
        throw new UsageError(
          `The table ${this.#tableName} holds items that this import has not written. Name a new table.`,
        );
    }
    await this.#switchStream(false);
  }

  async put(items: readonly PreparedItem[]): Promise<void> {
    await this.#sendAll(putRequests(this.#tableName, items));
  }

  async delete(keys: readonly ItemKey[]): Promise<void> {
    await this.#sendAll(deleteRequests(this.#tableName, keys));
  }

  async settle(): Promise<boolean> {
    return true;
  }

  async finish(): Promise<void> {
    await this.#switchStream(true);
  }

  async close(): Promise<void> {
    this.#client.destroy();
    this.#plain.destroy();
  }

  async #sendAll(bodies: readonly string[]): Promise<void> {
    await forEachLimited(bodies, this.#parallelRequests, async (body) => this.#send(body));
  }

  /** Sends a request, and again what of it the table was too busy for. */
  async #send(body: string): Promise<void> {
    let { RequestItems: left } = parseNamed(body) as { RequestItems: WriteRequests };
    for (let attempt = 1; attempt <= policy.attempts; attempt += 1) {
      const answer = await this.#plain.send(new BatchWriteItemCommand({ RequestItems: left } as never));
      left = answer.UnprocessedItems ?? {};
      if (Object.values(left).every((requests) => requests.length === 0)) return;
      await backOff(policy, attempt);
    }
    throw new Error(`the table ${this.#tableName} did not take an item in ${policy.attempts} attempts`);
  }

  async #switchStream(enabled: boolean): Promise<void> {
    const name = { TableName: this.#tableName };
    const { Table } = await this.#client.send(new DescribeTableCommand(name));
    if ((Table?.StreamSpecification?.StreamEnabled === true) === enabled) return;
    const wanted = enabled ? streamSpecification : { StreamEnabled: false };
    await this.#client.send(new UpdateTableCommand({ ...name, StreamSpecification: wanted }));
    await waitUntilTableExists({ client: this.#client, maxWaitTime: 300, minDelay: 1 }, name);
  }
}

/** Errors of a table that cannot be reached, as mistakes of the user. */
function toUsageError(error: unknown, tableName: string): unknown {
  if (!(error instanceof Error)) return error;
  const isCredential = /Credentials|Token|Signature|AccessDenied|Region is missing/i.test(
    `${error.name} ${error.message}`,
  );
  const isNetwork = 'code' in error && typeof error.code === 'string';
  return isCredential || isNetwork || error.message.includes('another version of Dapple')
    ? new UsageError(`The table ${tableName} cannot be opened: ${error.message || error.name}`, { cause: error })
    : error;
}
