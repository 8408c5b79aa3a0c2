import { narrow } from '../../integer.ts';

/** An object whose members nobody knows yet. */
export type Values = Readonly<Record<string, unknown>>;

/** An attribute as JSON has it: bytes are base64 text. Those of errors and stream records are bytes. */
interface Attribute {
  readonly S?: string;
  readonly N?: string;
  readonly B?: string | Uint8Array;
  readonly BOOL?: boolean;
  readonly NULL?: boolean;
  readonly SS?: readonly string[];
  readonly NS?: readonly string[];
  readonly BS?: readonly (string | Uint8Array)[];
  readonly L?: readonly unknown[];
  readonly M?: object;
}

/*
 * Values as the JSON of DynamoDB has them, converted in one walk and without a copy on the way. Integers of any size stay exact, unlike
 * with the SDK's converter, which they otherwise agree with.
 */

/** Converts the members of an object to attributes; undefined members are left out. */
export function toAttributes(values: object): Values {
  const attributes: Record<string, unknown> = {};
  for (const name in values) {
    const value = (values as Values)[name];
    if (value !== undefined) attributes[name] = toAttribute(value);
  }
  return attributes;
}

/**
 * Converts a value to an attribute.
 *
 * @throws TypeError for a value without a type of DynamoDB, a number that is not finite or not exact, and an empty set.
 */
export function toAttribute(value: unknown): Attribute {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
    case 'bigint':
      return { N: printNumber(value) };
    case 'boolean':
      return { BOOL: value };
    case 'object':
      if (value === null) return { NULL: true };
      if (Array.isArray(value)) return { L: value.filter((element) => element !== undefined).map(toAttribute) };
      if (value instanceof Uint8Array) return { B: printBytes(value) };
      if (value instanceof Set) return toSet([...value]);
      if (isPlain(value)) return { M: toAttributes(value) };
  }
  throw unsupportedError(value);
}

function toSet(members: readonly unknown[]): Attribute {
  const [first] = members;
  if (typeof first === 'string') return { SS: members as string[] };
  if (first instanceof Uint8Array) return { BS: (members as Uint8Array[]).map(printBytes) };
  if (typeof first === 'number' || typeof first === 'bigint') return { NS: (members as number[]).map(printNumber) };
  throw unsupportedError(first);
}

function printNumber(value: number | bigint): string {
  if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) throw unsupportedError(value);
  return String(value);
}

const printBytes = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

const unsupportedError = (value: unknown) => new TypeError(`DynamoDB has no value ${String(value)}`);

/** Reads the members of an object; integers stay exact. */
export function toNatives(attributes: object): Record<string, unknown> {
  return pickNatives(attributes, () => true);
}

/** Reads the members of an object that are wanted; integers stay exact. */
export function pickNatives(attributes: object, isWanted: (name: string) => boolean): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name in attributes) {
    if (isWanted(name)) values[name] = toNative((attributes as Values)[name]);
  }
  return values;
}

/**
 * Reads a value; integers stay exact.
 *
 * @throws TypeError for one without a type of DynamoDB.
 */
export function toNative(attribute: unknown): unknown {
  const value = attribute as Attribute;
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return toNumber(value.N);
  if (value.M !== undefined) return toNatives(value.M);
  if (value.L !== undefined) return value.L.map(toNative);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  if (value.B !== undefined) return readBytes(value.B);
  if (value.SS !== undefined) return new Set(value.SS);
  if (value.NS !== undefined) return new Set(value.NS.map(toNumber));
  if (value.BS !== undefined) return new Set(value.BS.map(readBytes));
  throw new TypeError(`an attribute without a type: ${Object.keys(value).join()}`);
}

/** Reads a number of the table; integers stay exact. */
export function toNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : narrow(BigInt(text));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function readBytes(bytes: string | Uint8Array): Uint8Array {
  return typeof bytes === 'string' ? new Uint8Array(Buffer.from(bytes, 'base64')) : bytes;
}
