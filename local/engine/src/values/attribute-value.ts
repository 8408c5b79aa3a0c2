/** A DynamoDB value with its type, as in requests and answers. Binary values are base64 texts. */
export type AttributeValue =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: boolean }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] }
  | { L: AttributeValue[] }
  | { M: Item };

/** The attributes of an item, or the members of a map. */
export type Item = { [attribute: string]: AttributeValue };

/** The name of a DynamoDB type. */
export type ValueType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'SS' | 'NS' | 'BS' | 'L' | 'M';

/** The type of a value. */
export function typeOf(value: AttributeValue): ValueType {
  for (const type in value) return type as ValueType;
  throw new TypeError('a value without a type');
}

/** The content of a value of any type. */
export function contentOf(value: AttributeValue): unknown {
  return (value as Record<string, unknown>)[typeOf(value)];
}

/** Makes objects without inherited properties. V8 keeps the objects of `Object.create(null)` as hash tables, which are slower. */
const Members = function () {} as unknown as { new (): Item; prototype: unknown };
Members.prototype = Object.create(null);

/** An item without attributes. Attributes may have any name, even `__proto__`. */
export function emptyItem(): Item {
  return new Members();
}

/** An attribute of an item; undefined if it is missing. Inherited properties do not count. */
export function attributeOf(item: Item, name: string): AttributeValue | undefined {
  return Object.hasOwn(item, name) ? item[name] : undefined;
}
