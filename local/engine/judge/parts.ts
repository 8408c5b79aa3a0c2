import { isObject } from './normalise.ts';
import type { Body, JudgedRequest } from './request.ts';
import { firstKey, tables } from './tables.ts';

/** A part of a batch or of a transaction. */
interface Part {
  /** The table that lists it in a batch. */
  readonly table?: string;
  readonly content: unknown;
  /** The other members of a table in a BatchGetItem. */
  readonly members?: Body;
}

/** Operations on one item with its key and expressions. */
const singles = new Set(['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem']);

/** Right expressions of actions that must have one. */
const required: Readonly<Record<string, Body>> = {
  ConditionCheck: { ConditionExpression: 'attribute_exists(a)' },
  Update: { UpdateExpression: 'REMOVE a' },
};

/** More parts than this are not paired. */
const maxPaired = 30;

/**
 * Requests with less than a request: with one part each of a batch or transaction, with a right key, and without
 * expressions.
 */
export function splitRequest(request: JudgedRequest): JudgedRequest[] {
  const { operation, body } = request;
  if (singles.has(operation)) return simplify(body).map((simple) => withBody(request, simple));
  const parts = listParts(request);
  return [parts, parts.flatMap(simplifyPart)].flat().map((part) => joinParts(request, [part]));
}

/** Requests with two parts each of a batch or transaction, for mistakes that need two, such as an item named twice. */
export function pairParts(request: JudgedRequest): JudgedRequest[] {
  const parts = listParts(request);
  if (parts.length > maxPaired) return [];
  return parts.flatMap((one, at) => parts.slice(at + 1).map((other) => joinParts(request, [one, other])));
}

function simplifyPart(part: Part): Part[] {
  const [[name, action] = ['', undefined], ...others] = Object.entries(part.content ?? {});
  if (part.table !== undefined || others.length > 0 || !isObject(action)) return [];
  return simplify(action, required[name]).map((simple) => ({ content: { [name]: simple } }));
}

/** An action on an item without its expressions, and with another key, which is right. */
function simplify(action: Body, added: Body = {}): Body[] {
  const others = Object.entries(action).filter(([member]) => !member.includes('Expression'));
  const table = tables.find(({ name }) => name === action['TableName']);
  const located = table === undefined ? {} : { [action['Item'] === undefined ? 'Key' : 'Item']: firstKey(table) };
  return [
    { ...Object.fromEntries(others), ...added },
    { ...action, ...located },
  ];
}

function listParts({ operation, body }: JudgedRequest): Part[] {
  const { TransactItems: list, RequestItems: requested } = body;
  if (operation.startsWith('Transact')) return Array.isArray(list) ? list.map((content) => ({ content })) : [];
  if (!isObject(requested)) return [];
  return Object.entries(requested).flatMap(([table, content]) => listOfTable(operation, table, content));
}

function listOfTable(operation: string, table: string, requested: unknown): Part[] {
  if (operation === 'BatchWriteItem' && Array.isArray(requested))
    return requested.map((content) => ({ table, content }));
  if (operation !== 'BatchGetItem' || !isObject(requested)) return [];
  const { Keys: keys, ...members } = requested;
  const ofKeys = Array.isArray(keys) ? keys.map((content) => ({ table, content })) : [];
  const judged = tables.find(({ name }) => name === table);
  return judged === undefined ? ofKeys : [...ofKeys, { table, members, content: firstKey(judged) }];
}

function joinParts(request: JudgedRequest, parts: readonly Part[]): JudgedRequest {
  const { operation } = request;
  const body: Body = { ...request.body };
  // A token would belong to the whole transaction.
  delete body['ClientRequestToken'];
  if (operation.startsWith('Transact')) body['TransactItems'] = parts.map(({ content }) => content);
  else body['RequestItems'] = Object.fromEntries(joinTables(operation, parts));
  return withBody(request, body);
}

const withBody = (request: JudgedRequest, body: Body): JudgedRequest => ({ ...request, body });

function joinTables(operation: string, parts: readonly Part[]): [table: string, requested: unknown][] {
  const byTable = Map.groupBy(parts, ({ table = '' }) => table);
  return [...byTable].map(([table, ofTable]) => {
    const contents = ofTable.map(({ content }) => content);
    const members = ofTable.find((part) => part.members !== undefined)?.members;
    return [table, operation === 'BatchGetItem' ? { ...members, Keys: contents } : contents];
  });
}
