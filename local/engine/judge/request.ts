import type { AttributeValue, Item } from '../src/values/attribute-value.ts';

/** The compared operations of DynamoDB. */
export type Operation =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'Scan'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'TransactWriteItems'
  | 'TransactGetItems'
  | 'BatchWriteItem'
  | 'ExecuteStatement'
  | 'BatchExecuteStatement';

/** A request's body, or a part of it, as JSON; most are valid, some intentionally not. */
export type Body = { [member: string]: unknown };

/** An item that a request names. */
export interface Touched {
  readonly table: string;
  readonly key: Item;
}

/** A request that both engines get. */
export interface JudgedRequest {
  readonly operation: Operation;
  readonly body: Body;
  /** The items that its statements may change; other operations name their items in the body. */
  readonly touches: readonly Touched[];
  /** It contains a mistake, so anything in it may be invalid. */
  readonly mistaken: boolean;
  /** False if DynamoDB does not define the order of the items: all pages together are then compared as a set. */
  readonly ordered: boolean;
  /** Maximum number of pages to read, each from the end of the previous one. */
  readonly pages: number;
}

/** An answer as received. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Names and values of an expression, as placeholders in its text. */
export class Placeholders {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, AttributeValue> = {};

  /** A placeholder for a name; the same name gets the same one. */
  name(name: string): string {
    const known = Object.keys(this.names).find((placeholder) => this.names[placeholder] === name);
    if (known !== undefined) return known;
    const placeholder = `#n${Object.keys(this.names).length}`;
    this.names[placeholder] = name;
    return placeholder;
  }

  /** A new placeholder for a value. */
  value(value: AttributeValue): string {
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = value;
    return placeholder;
  }

  /** The members of a request's body that define the placeholders. */
  toBody(): Body {
    return {
      ...(Object.keys(this.names).length === 0 ? {} : { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length === 0 ? {} : { ExpressionAttributeValues: this.values }),
    };
  }
}
