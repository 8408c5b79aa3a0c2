/** An object of an answer. */
export type Row = Readonly<Record<string, unknown>>;

/** The objects of an answer that has one a line. */
export function rowsOf({ text }: { readonly text: string }): Row[] {
  return text
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line.replaceAll(': Infinity', ': null')) as Row]));
}
