import type { AttributeValue } from './attribute-value.ts';

/**
 * Reads a value; integers stay exact, as numbers where these can hold them.
 *
 * @throws TypeError for one without a type.
 */
export function toNative(attribute: unknown): unknown {
  const value = attribute as AttributeValue;
  if ('S' in value) return value.S;
  if ('N' in value) return toNumber(value.N);
  if ('M' in value) return toNatives(value.M);
  if ('L' in value) return value.L.map(toNative);
  if ('BOOL' in value) return value.BOOL;
  if ('NULL' in value) return null;
  if ('B' in value) return toBytes(value.B);
  if ('SS' in value) return new Set(value.SS);
  if ('NS' in value) return new Set(value.NS.map(toNumber));
  if ('BS' in value) return new Set(value.BS.map(toBytes));
  throw new TypeError(`an attribute without a type: ${Object.keys(value).join()}`);
}

function toNatives(attributes: object): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) values[name] = toNative(value);
  return values;
}

function toNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : BigInt(text);
}

const toBytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
