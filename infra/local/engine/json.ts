/** A part of an answer that is already JSON text, so that stored items need no parsing. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The members of an answer; absent ones are omitted. */
export type Output = Readonly<Record<string, unknown>>;

/** A list of JSON texts. */
export function rawList(texts: readonly string[]): RawJson {
  return new RawJson(`[${texts.join(',')}]`);
}

/** The JSON text of an answer; empty without one. */
export function printOutput(output: Output | undefined): string {
  if (output === undefined) return '';
  let text = '{';
  for (const name of Object.keys(output)) {
    const value = output[name];
    if (value === undefined) continue;
    if (text.length > 1) text += ',';
    text += `${JSON.stringify(name)}:${value instanceof RawJson ? value.text : JSON.stringify(value)}`;
  }
  return `${text}}`;
}

/** An object whose members are JSON texts. */
export function rawObject(members: Iterable<readonly [name: string, text: string]>): RawJson {
  return new RawJson(`{${Array.from(members, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
}
