/** A part of an answer that is JSON text already, so that stored items are not parsed to be answered. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The members of an answer; absent ones are left out. */
export type Output = Readonly<Record<string, unknown>>;

/** A list of JSON texts. */
export function rawList(texts: readonly string[]): RawJson {
  return new RawJson(`[${texts.join(',')}]`);
}

/** The JSON text of an answer; empty where there is none. */
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
