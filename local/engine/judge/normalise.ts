import { createHash } from 'node:crypto';

import { canonicalNumber } from './numbers.ts';
import type { Answer, Body } from './request.ts';

/** Characters of a text that are kept. */
const shownCharacters = 200;

/** An answer in comparable form. */
export interface NormalAnswer {
  readonly status: number;
  /** The type of an error without its namespace, such as `ValidationException`. */
  readonly error?: string;
  readonly message?: string;
  /** The other members. */
  readonly body: Body;
}

/** The answer without what DynamoDB leaves open: the order of sets and of batches, and that of lists in messages. */
export function normaliseAnswer({ status, body }: Answer): NormalAnswer {
  if (!isObject(body)) return { status, body: { unexpected: body } };
  const { __type: type, message: text = body['Message'], ...members } = body;
  delete members['Message'];
  const rest = normaliseValue(members) as Body;
  for (const member of ['ConsumedCapacity', 'Responses']) rest[member] = sortBatch(rest[member]);
  if (rest['NextToken'] !== undefined) rest['NextToken'] = 'a token';
  return {
    status,
    ...(typeof type === 'string' ? { error: type.slice(type.indexOf('#') + 1) } : {}),
    ...(typeof text === 'string' ? { message: normaliseMessage(text) } : {}),
    body: Object.fromEntries(Object.entries(rest).filter(([, member]) => member !== undefined)),
  };
}

/** A value with its members in alphabetical order, its sets sorted, and long texts cut, with a digest. */
export function normaliseValue(value: unknown): unknown {
  if (typeof value === 'string') return shorten(value);
  if (Array.isArray(value)) return value.map(normaliseValue);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, normaliseMember(name, value[name])]));
}

function normaliseMember(name: string, value: unknown): unknown {
  if (name === 'Message' && typeof value === 'string') return normaliseMessage(value);
  const normal = normaliseValue(value);
  const isSet = ['SS', 'NS', 'BS'].includes(name) && Array.isArray(normal);
  if (!isSet || !normal.every((member) => typeof member === 'string')) return normal;
  return name === 'NS' ? sortBy(normal, canonicalNumber) : normal.sort();
}

function shorten(text: string): string {
  if (text.length <= shownCharacters) return text;
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 12);
  return `${text.slice(0, 20)}...${text.length} characters, ${digest}`;
}

/** Sorts the answer of a batch by table, and members without a defined order per table. */
function sortBatch(member: unknown): unknown {
  if (Array.isArray(member)) {
    const areTables = member.every((entry) => isObject(entry) && typeof entry['TableName'] === 'string');
    return areTables ? sortBy(member, (entry: Body) => String(entry['TableName'])) : member;
  }
  if (!isObject(member)) return member;
  return Object.fromEntries(
    Object.entries(member).map(([name, value]) => [name, Array.isArray(value) ? sortBy(value, identify) : value]),
  );
}

/** The same text for equal values, in any notation of their numbers. */
export function identify(value: unknown): string {
  return JSON.stringify(normaliseValue(value), (name, member: unknown) => {
    if (name === 'N' && typeof member === 'string') return canonicalNumber(member);
    return name === 'NS' && Array.isArray(member) ? member.map((number) => canonicalNumber(String(number))) : member;
  });
}

/** The members in the order of a text of each. */
export function sortBy<T>(members: readonly T[], textOf: (member: T) => string): T[] {
  const texts = members.map((member) => [textOf(member), member] as const);
  return texts.sort(([left], [right]) => (left < right ? -1 : Number(left > right))).map(([, member]) => member);
}

/** A message with sorted lists, which come in the order of a hash table, and numbers in one notation. */
function normaliseMessage(message: string): string {
  const found = /^\d+ validation errors detected: /.exec(message)?.[0];
  const sorted = found === undefined ? message : found + sortParts(message.slice(found.length), '; ');
  return sorted
    .replaceAll(/\{N:([^{}]*)\}/g, (_, number: string) => `{N:${canonicalNumber(number)}}`)
    .replaceAll(/\{([^{}]*)\}/g, (_, list: string) => `{${sortParts(list, list.includes(', ') ? ', ' : ',')}}`)
    .replaceAll(/(project |attributes: |value set: )\[([^\]]*)\]/g, (_, before: string, list: string) => {
      return `${before}[${sortParts(list, ', ')}]`;
    });
}

function sortParts(text: string, separator: string): string {
  return text.split(separator).sort().join(separator);
}

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
