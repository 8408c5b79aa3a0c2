import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

import { renewal } from '../../lib/store/batch-record.ts';
import { itemSize } from '../../lib/store/item-size.ts';
import { tableDefinition } from '../../lib/store/table-definition.ts';
import { type Waited, Waves } from './waves.ts';

/** Request units by DynamoDB's own rules, worked out from the items that went over the line. */
export interface Units {
  readonly rru: number;
  readonly wru: number;
}

/** What an operation needed. */
export interface Reckoning extends Units, Waited {}

/** A line to an engine on which every request is reckoned up. */
export interface Arithmetic {
  readonly endpoint: string;
  /** Begins to reckon; from now on answers are handed out in waves (waves.ts). */
  begin(): void;
  /** What has happened since then; answers pass at once again. */
  take(): Reckoning;
  close(): void;
}

type Attributes = Readonly<Record<string, AttributeValue>>;
type Plain = Readonly<Record<string, unknown>>;

interface Request {
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly ConsistentRead?: boolean;
  readonly UpdateExpression?: string;
  readonly IndexName?: string;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Attributes[] }>>;
  readonly TransactItems?: readonly Readonly<Record<string, Request>>[];
  readonly Statements?: readonly { readonly Statement: string; readonly Parameters: readonly unknown[] }[];
}

interface Answer {
  readonly Item?: Attributes;
  readonly Items?: readonly Attributes[];
  readonly Responses?: Readonly<Record<string, readonly Attributes[]>>;
  readonly UnprocessedKeys?: object;
}

/**
 * Stands between the service and the engine and reckons up what each request would cost on AWS: DynamoDB Local reports
 * nothing for PartiQL, one item's units for a transaction, and nothing for keys that are not there. What a write costs is
 * told from the item before and after it, which are read past the service.
 *
 * @param idle Resolves when the service has nothing left to do but to wait for answers.
 */
export async function startArithmetic(
  engine: string,
  tableName: string,
  idle: () => Promise<void>,
): Promise<Arithmetic> {
  let [rru, wru] = [0, 0];
  let waves: Waves | undefined;
  const send = async (headers: Record<string, string>, body: string) => {
    const answer = await fetch(engine, { method: 'POST', headers, body });
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing));
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const wave = waves;
    wave?.enter();
    const body = await text(incoming);
    const request = JSON.parse(body) as Request;
    // Due by the clock, a unit every 20 s: how many there are tells of the machine alone.
    const isCounted = wave !== undefined && request.UpdateExpression !== renewal;
    if (!isCounted) wave?.retract();
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    const headers = Object.fromEntries(
      ['content-type', 'x-amz-target', 'authorization', 'x-amz-date'].map((name) => [
        name,
        String(incoming.headers[name]),
      ]),
    );
    const read = async (keys: readonly Attributes[]): Promise<(Plain | undefined)[]> => {
      if (keys.length === 0) return [];
      // No request writes more than the hundred items that can be read at once.
      const get = { RequestItems: { [tableName]: { Keys: keys, ConsistentRead: true } } };
      const asked = { ...headers, 'x-amz-target': 'DynamoDB_20120810.BatchGetItem' };
      const { Responses, UnprocessedKeys } = JSON.parse((await send(asked, JSON.stringify(get))).body) as Answer;
      if (Object.keys(UnprocessedKeys ?? {}).length > 0) throw new Error('the engine has not read all that is written');
      const found = new Map((Responses?.[tableName] ?? []).map((item) => [textOf(item), toPlain(item)]));
      return keys.map((key) => found.get(textOf(key)));
    };
    const written = isCounted ? keysWritten(operation, request) : [];
    const before = await read(written);
    const answer = await send(headers, body);
    if (answer.status === 200 && isCounted) {
      rru += readUnits(operation, request, JSON.parse(answer.body) as Answer);
      const after = await read(written);
      const units = written.reduce((sum, _key, index) => sum + writeUnits(before[index], after[index]), 0);
      wru += units * (operation === 'TransactWriteItems' ? 2 : 1);
    }
    if (isCounted) await wave.leave();
    outgoing.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' });
    outgoing.end(answer.body);
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begin: () => {
      [rru, wru] = [0, 0];
      waves = new Waves(idle);
    },
    take: () => {
      const waited = waves?.total() ?? { waves: 0, held: 0 };
      waves = undefined;
      return { rru, wru, ...waited };
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Keys of the items that a request writes. */
function keysWritten(operation: string, request: Request): Attributes[] {
  return itemsWritten(operation, request).map(({ PK, SK }) => ({ PK, SK }) as Attributes);
}

function itemsWritten(operation: string, request: Request): Attributes[] {
  switch (operation) {
    case 'PutItem':
      return [request.Item ?? {}];
    case 'UpdateItem':
    case 'DeleteItem':
      return [request.Key ?? {}];
    case 'TransactWriteItems':
      return (request.TransactItems ?? []).flatMap(({ Put, Update, Delete, ConditionCheck }) => {
        const key = Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key;
        return key === undefined ? [] : [key];
      });
    case 'BatchExecuteStatement':
      return (request.Statements ?? []).map(({ Statement, Parameters }) => {
        const names = [...Statement.matchAll(/'((?:[^']|'')*)': \?/g)].map(([, name]) => name?.replaceAll("''", "'"));
        return Object.fromEntries(names.map((name, index) => [name, Parameters[index]])) as Attributes;
      });
    default:
      return [];
  }
}

/** Half a unit for 4 KB read eventually consistent, one for 4 KB read strongly; a key that is not there counts as well. */
function readUnits(operation: string, request: Request, answer: Answer): number {
  const size = (item: Attributes) => itemSize(toPlain(item));
  const blocks = (bytes: number) => Math.max(1, Math.ceil(bytes / 4096));
  switch (operation) {
    case 'GetItem':
      return blocks(answer.Item === undefined ? 0 : size(answer.Item)) * (request.ConsistentRead === true ? 1 : 0.5);
    case 'BatchGetItem': {
      const asked = Object.values(request.RequestItems ?? {}).reduce((sum, { Keys }) => sum + Keys.length, 0);
      const found = Object.values(answer.Responses ?? {}).flat();
      return found.reduce((sum, item) => sum + blocks(size(item)), asked - found.length);
    }
    case 'Query': {
      const bytes = (answer.Items ?? []).reduce((sum, item) => sum + size(item), 0);
      return blocks(bytes) * (request.ConsistentRead === true ? 1 : 0.5);
    }
    default:
      return 0;
  }
}

/** One unit a KB of the larger of both items, in the table and in each index whose entry changes. */
function writeUnits(before: Plain | undefined, after: Plain | undefined): number {
  const units = Math.max(1, Math.ceil(Math.max(sizeOf(before), sizeOf(after)) / 1024));
  return units + tableDefinition.indexes.reduce((sum, index) => sum + indexUnits(index, before, after), 0);
}

type Index = (typeof tableDefinition.indexes)[number];

function indexUnits(index: Index, before: Plain | undefined, after: Plain | undefined): number {
  const [old, fresh] = [entryOf(index, before), entryOf(index, after)];
  if (isDeepStrictEqual(old, fresh)) return 0;
  const place = ({ [index.partitionKey]: pk, [index.sortKey]: sk }: Plain) => [pk, sk];
  const kilobytes = (entry: Plain | undefined) => Math.ceil(sizeOf(entry) / 1024);
  if (old !== undefined && fresh !== undefined && isDeepStrictEqual(place(old), place(fresh))) {
    return Math.max(kilobytes(old), kilobytes(fresh));
  }
  return kilobytes(old) + kilobytes(fresh);
}

/** What an index holds of an item; nothing where the item lacks the index's keys. */
function entryOf(index: Index, item: Plain | undefined): Plain | undefined {
  if (item?.[index.partitionKey] === undefined || item[index.sortKey] === undefined) return undefined;
  if (index.projection === 'ALL') return item;
  const names = new Set(['PK', 'SK', index.partitionKey, index.sortKey, ...index.projection]);
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)));
}

const textOf = ({ PK, SK }: Attributes) => JSON.stringify([PK, SK]);

const toPlain = (item: Attributes): Plain => unmarshall({ ...item }, { wrapNumbers: Number });

const sizeOf = (item: Plain | undefined) => (item === undefined ? 0 : itemSize(item));
