import { convertToAttr, convertToNative, type marshallOptions, type unmarshallOptions } from '@aws-sdk/util-dynamodb';

/** An object whose members nobody knows yet. */
export type Values = Readonly<Record<string, unknown>>;

/** How a document client writes and reads values. */
export interface CodecOptions {
  readonly marshallOptions?: marshallOptions;
  readonly unmarshallOptions?: unmarshallOptions;
}

/** Converts values to attributes and back. */
export interface Codec {
  readonly toAttribute: (value: unknown) => unknown;
  readonly toNative: (value: unknown) => unknown;
  /** Converts each member of an object; undefined stays. */
  readonly toAttributes: (values: unknown) => Values | undefined;
  readonly toNatives: (values: unknown) => Values | undefined;
}

type Attribute = Parameters<typeof convertToNative>[0];

/** An attribute as JSON has it: bytes are text. */
type Written = Attribute & { readonly B?: unknown; readonly BS?: readonly unknown[] };

/** Makes a codec that does what the SDK does. It leaves values other than texts, numbers and collections of those to the SDK. */
export function makeCodec({ marshallOptions, unmarshallOptions }: CodecOptions): Codec {
  const toAttribute = (value: unknown): unknown => {
    if (typeof value === 'string') return { S: value };
    if (typeof value === 'number' && Number.isSafeInteger(value)) return { N: String(value) };
    if (typeof value === 'boolean') return { BOOL: value };
    if (Array.isArray(value)) return { L: value.filter(isKept).map(toAttribute) };
    if (isPlain(value)) return { M: toAttributes(value) };
    return printBytes(convertToAttr(value as Parameters<typeof convertToAttr>[0], marshallOptions));
  };
  const toAttributes = (values: unknown): Values | undefined => {
    if (values === undefined) return undefined;
    const found: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(values as Values)) if (isKept(value)) found[name] = toAttribute(value);
    return found;
  };
  const toNative = (value: unknown): unknown => {
    const { S, M, L } = value as { S?: string; M?: Values; L?: readonly unknown[] };
    if (S !== undefined) return S;
    if (M !== undefined) return toNatives(M);
    if (L !== undefined) return L.map(toNative);
    return convertToNative(readBytes(value as Written), unmarshallOptions);
  };
  const toNatives = (values: unknown): Values | undefined => {
    if (values === undefined) return undefined;
    const found: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(values as Values)) found[name] = toNative(value);
    return found;
  };
  return { toAttribute, toAttributes, toNative, toNatives };
}

function printBytes(attribute: Attribute): unknown {
  const print = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  if (attribute.B !== undefined) return { B: print(attribute.B) };
  return attribute.BS === undefined ? attribute : { BS: attribute.BS.map(print) };
}

function readBytes(written: Written): Attribute {
  const read = (text: unknown) => new Uint8Array(Buffer.from(String(text), 'base64'));
  if (written.B !== undefined) return { B: read(written.B) };
  return written.BS === undefined ? written : { BS: written.BS.map(read) };
}

const isKept = (value: unknown) => value !== undefined && typeof value !== 'function';

function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
