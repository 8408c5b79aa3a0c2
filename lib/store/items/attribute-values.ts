import { convertToAttr, convertToNative } from '@aws-sdk/util-dynamodb';

import { narrow } from '../../integer.ts';

/** An object whose members nobody knows yet. */
export type Values = Readonly<Record<string, unknown>>;

type Attribute = Parameters<typeof convertToNative>[0];

/** An attribute as the JSON of a request has it: bytes are base64 text. */
type WrittenAttribute = Attribute & { readonly B?: unknown; readonly BS?: readonly unknown[] };

/*
 * Values as the JSON of DynamoDB has them. The frequent types are converted here, in one walk and without a copy on the way;
 * the SDK converts the others.
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

/** Converts a value to an attribute. */
export function toAttribute(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      if (Number.isSafeInteger(value)) return { N: String(value) };
      break;
    case 'boolean':
      return { BOOL: value };
    case 'object':
      if (Array.isArray(value)) return { L: value.filter((element) => element !== undefined).map(toAttribute) };
      if (value !== null && isPlain(value)) return { M: toAttributes(value) };
  }
  return printBytes(convertToAttr(value as Parameters<typeof convertToAttr>[0], { removeUndefinedValues: true }));
}

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

/** Reads a value; integers stay exact. */
export function toNative(attribute: unknown): unknown {
  const { S, N, M, L } = attribute as { S?: string; N?: string; M?: object; L?: readonly unknown[] };
  if (S !== undefined) return S;
  if (N !== undefined) return toNumber(N);
  if (M !== undefined) return toNatives(M);
  if (L !== undefined) return L.map(toNative);
  return convertToNative(readBytes(attribute as WrittenAttribute), { wrapNumbers: toNumber });
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

function printBytes(attribute: Attribute): unknown {
  const print = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  if (attribute.B !== undefined) return { B: print(attribute.B) };
  return attribute.BS === undefined ? attribute : { BS: attribute.BS.map(print) };
}

/** Bytes are base64 text in an answer, and bytes already in an error or a stream record. */
function readBytes(attribute: WrittenAttribute): Attribute {
  const read = (bytes: unknown) => (typeof bytes === 'string' ? new Uint8Array(Buffer.from(bytes, 'base64')) : bytes);
  if (attribute.B !== undefined) return { B: read(attribute.B) } as Attribute;
  return attribute.BS === undefined ? attribute : ({ BS: attribute.BS.map(read) } as Attribute);
}
