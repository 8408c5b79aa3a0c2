import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';

import { DescribeTableCommand, type DynamoDBClient, ScanCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';

import type { ClientOptions } from '../../lib/store/items/client.ts';
import { setEnvironment } from '../../local/environment.ts';
import { localClient } from '../../local/local-client.ts';
import { openEngine } from '../../local/open-engine.ts';
import { createTable } from '../../local/table.ts';

/** An empty table that takes an export. It has no stream, so that nothing reacts to what is loaded. */
export interface EmptyTable {
  /** Address of the table, for messages. */
  readonly address: string;
  readonly client: ClientOptions | undefined;
  /** Makes the table ready for a server, once everything is loaded. */
  finish(): Promise<void>;
  /** Closes it; removes what was not finished, if it is a folder. */
  close(): Promise<void>;
}

/**
 * Opens the table that the environment names, or else a new data folder.
 *
 * @throws Error with a remedy if it is not empty, or has a stream.
 */
export async function openEmptyTable(dataDir: string): Promise<EmptyTable> {
  const endpoint = process.env['DYNAMODB_ENDPOINT'] || undefined;
  const tableName = process.env['TABLE_NAME'] || 'Dapple';
  if (endpoint === undefined && process.env['TABLE_NAME'] === undefined) return openEmptyFolder(dataDir, tableName);
  if (endpoint !== undefined) setEnvironment({ tableName, endpoint });
  const client = localClient(endpoint === undefined ? {} : { endpoint });
  try {
    await createTable(client, tableName, { stream: false });
    await requireEmpty(client, tableName);
  } finally {
    client.destroy();
  }
  const nothing = async () => {};
  return { address: `the table ${tableName}`, client: undefined, finish: nothing, close: nothing };
}

/** Opens a new data folder, which gets its name when it is complete. */
export async function openEmptyFolder(dataDir: string, tableName: string): Promise<EmptyTable> {
  if (existsSync(dataDir)) {
    throw new Error(`The folder ${dataDir} exists. Name a new one with \`--to <folder>\`, or move that one away.`);
  }
  const partial = `${dataDir}.loading`;
  await rm(partial, { recursive: true, force: true });
  setEnvironment({ tableName });
  const engine = openEngine(partial);
  const client = localClient(engine.client);
  const closeEngine = () => {
    client.destroy();
    engine.close();
  };
  await createTable(client, tableName, { stream: false });
  return {
    address: `the data folder ${dataDir}`,
    client: engine.client,
    finish: async () => {
      const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
      await client.send(new UpdateTableCommand({ TableName: tableName, StreamSpecification }));
      closeEngine();
      await rename(partial, dataDir);
    },
    close: async () => {
      closeEngine();
      await rm(partial, { recursive: true, force: true });
    },
  };
}

async function requireEmpty(client: DynamoDBClient, tableName: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  if (Table?.StreamSpecification?.StreamEnabled === true) {
    throw new Error(
      `The table ${tableName} has a stream: its readers would take each item for news. Name a table that does not exist.`,
    );
  }
  const { Count = 0 } = await client.send(new ScanCommand({ TableName: tableName, Limit: 1 }));
  if (Count > 0) throw new Error(`The table ${tableName} is not empty. Name one that does not exist.`);
}
