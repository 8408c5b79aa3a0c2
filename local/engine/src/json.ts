import type { Item } from './values/attribute-value.ts';
import { printItem, showItemText } from './values/item-text.ts';

/** A part of an answer that is already JSON text. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * A part of an answer that holds items or keys, in the form in which items are stored, so that they need no parsing. An answer holds
 * either all of its items and keys in such parts, or none.
 */
export abstract class StoredPart {
  /** The JSON text of the part, with each item as `show` gives it. */
  abstract print(show: (text: string) => string): string;
}

/** An item. */
export class StoredText extends StoredPart {
  readonly texts: readonly [string];

  constructor(text: string) {
    super();
    this.texts = [text];
  }

  print(show: (text: string) => string): string {
    return show(this.texts[0]);
  }
}

/** An item or a key of an answer that was not stored in this form. */
export function asStored(item: Item): StoredText {
  return new StoredText(printItem(item));
}

/** A list of items. */
export class StoredTexts extends StoredPart {
  readonly texts: readonly string[];

  constructor(texts: readonly string[]) {
    super();
    this.texts = texts;
  }

  print(show: (text: string) => string): string {
    return `[${this.texts.map(show).join(',')}]`;
  }
}

/** Parts by name. */
export class StoredParts extends StoredPart {
  readonly #parts: readonly (readonly [name: string, part: StoredPart])[];

  constructor(parts: readonly (readonly [name: string, part: StoredPart])[]) {
    super();
    this.#parts = parts;
  }

  print(show: (text: string) => string): string {
    return `{${this.#parts.map(([name, part]) => `${JSON.stringify(name)}:${part.print(show)}`).join(',')}}`;
  }
}

/** The members of an answer; absent ones are omitted. */
export type Output = Readonly<Record<string, unknown>>;

/** A list of JSON texts. */
export function rawList(texts: readonly string[]): RawJson {
  return new RawJson(`[${texts.join(',')}]`);
}

/** An answer as JSON text. */
export interface PrintedOutput {
  /** Empty without an answer. */
  readonly body: string;
  /** Whether the items and keys in it have the plain form (values/item-text.ts). */
  readonly hasPlainItems: boolean;
}

/**
 * Prints an answer.
 *
 * @param takesPlain Items and keys are printed in the form in which they are stored; else in DynamoDB's.
 */
export function printOutput(output: Output | undefined, takesPlain = false): PrintedOutput {
  if (output === undefined) return { body: '', hasPlainItems: false };
  const hasPlainItems = takesPlain && Object.values(output).some((value) => value instanceof StoredPart);
  const show = hasPlainItems ? itself : showItemText;
  let body = '{';
  for (const name of Object.keys(output)) {
    const value = output[name];
    if (value === undefined) continue;
    if (body.length > 1) body += ',';
    body += `${JSON.stringify(name)}:${printMember(value, show)}`;
  }
  return { body: `${body}}`, hasPlainItems };
}

const itself = (text: string) => text;

function printMember(value: unknown, show: (text: string) => string): string {
  if (value instanceof RawJson) return value.text;
  return value instanceof StoredPart ? value.print(show) : JSON.stringify(value);
}
