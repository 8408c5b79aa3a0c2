/**
 * A rehearsal of back-up and restore (docs/operations/restore.md) on the deployed stack: all functions are frozen during requests, the table
 * is copied, `npm run recover` runs on the copy, then a server starts on it, and its answers are checked.
 */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';

import { projectRoot } from '../../../infra/project-root.ts';
import { localClient } from '../../../local/local-client.ts';
import { connectEngine } from '../../../local/open-engine.ts';
import { createTable } from '../../../local/table.ts';
import { startServerProcess } from '../../support/server-process.ts';
import type { Deployment } from './deployment.ts';
import { type Attachment, openSession, prepareLoad, runClient, type Session } from './load.ts';

/** Minimum number of restored copies, and maximum number of copies until one has a bulk request under way. */
const copies = { least: 3, most: 12 };

const clients = 4;

/** Maximum time of load between copies. */
const maxLoadMs = 500;

type Item = Record<string, unknown>;

interface Copy {
  readonly items: readonly Item[];
  /** Requests and answers until the functions were frozen. */
  readonly asked: readonly Attachment[];
  readonly answered: readonly Attachment[];
}

/** Rehearses a restore of the deployed table until a copy had bulk requests under way. */
export async function rehearseRestore(deployment: Deployment): Promise<void> {
  const { workshop, server } = deployment;
  await workshop.timed('restores are rehearsed', async () => {
    const session = await openSession(server);
    await prepareLoad(session);
    let rolledBack = 0;
    let made = 0;
    while (made < copies.least || rolledBack === 0) {
      if (made === copies.most) throw new Error(`nothing was under way in any of ${made} copies`);
      made += 1;
      rolledBack += await rehearse(deployment, session, made);
    }
    workshop.say(`${made} copies under load were restored: ${rolledBack} bulk requests rolled back, nothing lost`);
  });
}

/** Copies the table under load and checks the copy; returns the number of bulk requests that were rolled back. */
async function rehearse(deployment: Deployment, session: Session, round: number): Promise<number> {
  const { workshop, outputs, server } = deployment;
  const engine = connectEngine(workshop.engine.url);
  const client = localClient(engine.client);
  const documents = DynamoDBDocumentClient.from(client);
  const tableName = `rehearsal-${round}`;
  try {
    const copy = await copyUnderLoad(deployment, session, round, () => scan(documents, outputs['TableName'] ?? ''));
    await createTable(client, tableName, { stream: false });
    await fill(documents, tableName, copy.items);
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const };
    await client.send(new UpdateTableCommand({ TableName: tableName, StreamSpecification }));
    const environment = { TABLE_NAME: tableName, DYNAMODB_ENDPOINT: workshop.engine.url };
    const said = await run('recover', environment);
    const restored = await startServerProcess(['--in-memory'], { ...environment, LOG_LEVEL: 'SILENT' });
    try {
      await check(await openSession({ ...server, url: restored.url }), copy);
    } finally {
      await restored.stop();
    }
    await run('recount', environment);
    const staged = (await scan(documents, tableName)).filter(isStaged);
    if (staged.length > 0) throw new Error(`something is still staged:\n${JSON.stringify(staged)}`);
    await workshop.engine.json('dynamodb', 'DeleteTable', { TableName: tableName });
    return Number(/^(\d+) bulk requests? rolled back/m.exec(said)?.[1]);
  } finally {
    client.destroy();
    engine.close();
  }
}

/** Reads the table during requests while all writers are frozen. */
async function copyUnderLoad(
  { workshop: { emulator } }: Deployment,
  session: Session,
  round: number,
  read: () => Promise<readonly Item[]>,
): Promise<Copy> {
  const attachments: Attachment[] = [];
  const stopping = new AbortController();
  const load = Array.from({ length: clients }, (_value, index) =>
    runClient(session, { name: `${round}.${index}`, attachments, signal: stopping.signal }),
  );
  try {
    await Promise.race([waitForLoad(attachments), ...load]);
    emulator.freeze();
    try {
      const asked = [...attachments];
      const answered = asked.filter(({ isAnswered }) => isAnswered);
      return { items: await readSettled(read), asked, answered };
    } finally {
      emulator.thaw();
    }
  } finally {
    stopping.abort();
    await Promise.all(load);
  }
}

/** Waits until every client has had an answer, then for a random time. */
async function waitForLoad(attachments: readonly Attachment[]): Promise<void> {
  while (attachments.filter(({ isAnswered }) => isAnswered).length < clients) await sleep(20);
  await sleep(Math.random() * maxLoadMs);
}

/** Reads until nothing changes any more: requests that reached the engine before the freeze are carried out. */
async function readSettled(read: () => Promise<readonly Item[]>): Promise<readonly Item[]> {
  let before = await read();
  for (;;) {
    const items = await read();
    if (JSON.stringify(items) === JSON.stringify(before)) return items;
    before = items;
  }
}

async function scan(documents: DynamoDBDocumentClient, TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await documents.send(new ScanCommand({ TableName, ExclusiveStartKey, ConsistentRead: true }));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return items;
}

async function fill(documents: DynamoDBDocumentClient, tableName: string, items: readonly Item[]): Promise<void> {
  for (let start = 0; start < items.length; start += 25) {
    const requests = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    const { UnprocessedItems = {} } = await documents.send(
      new BatchWriteCommand({ RequestItems: { [tableName]: requests } }),
    );
    if (Object.keys(UnprocessedItems).length > 0) throw new Error('the engine does not take the copy');
  }
}

/** Runs one of the programs as docs/operations/restore.md does; fails when it ends with anything but 0. */
async function run(script: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const env = { ...process.env, ...environment };
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', script], { cwd: projectRoot, env });
  return stdout;
}

/** Checks that acknowledged requests are there, each request as a whole or not at all, and that sizes are exact. */
async function check(session: Session, { asked, answered }: Copy): Promise<void> {
  const wrong: string[] = [];
  for (const [dataset, requests] of Map.groupBy(asked, (attachment) => attachment.dataset)) {
    const { names, length, bytes } = await session.contentOf(dataset);
    if (names.size !== length || bytes !== length) wrong.push(`${dataset} says ${length} of ${names.size}, ${bytes} B`);
    for (const request of requests) {
      const found = request.names.filter((name) => names.has(name)).length;
      if (found > 0 && found < request.names.length) wrong.push(`${request.names[0]} is there in part`);
      if (found === 0 && answered.includes(request)) wrong.push(`${request.names[0]} was answered and is lost`);
    }
  }
  if (wrong.length > 0) throw new Error(`the restored catalogue is not consistent:\n${wrong.join('\n')}`);
}

const isStaged = (item: Item) => Object.keys(item).some((name) => name.startsWith('~') || name === 'gone');
