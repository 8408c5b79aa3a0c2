import type { AttributeValue, Item } from '../../../infra/local/engine/values/attribute-value.ts';

/** The operations of DynamoDB that are compared. */
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

/** A request's body, or a part of it, as JSON; most are right, some are wrong on purpose. */
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
  /** The items that its statements may change; what other operations name stands in their bodies. */
  readonly touches: readonly Touched[];
  /** It was spoiled: what it says may be wrong in any way. */
  readonly mistaken: boolean;
  /** False when DynamoDB does not say in which order the items come: then all pages together are compared as a set. */
  readonly ordered: boolean;
  /** Pages to read at most, each from where the page before ended. */
  readonly pages: number;
}

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Names and values of an expression, which its text refers to. */
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

  /** The members of a request's body that say what the placeholders stand for. */
  toBody(): Body {
    return {
      ...(Object.keys(this.names).length === 0 ? {} : { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length === 0 ? {} : { ExpressionAttributeValues: this.values }),
    };
  }
}
