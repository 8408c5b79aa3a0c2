/** A value as Python's `repr` writes it, for messages in Rucio's words. */
export function pythonRepr(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, member]) => `${quote(key)}: ${pythonRepr(member)}`)
      .join(', ')}}`;
  }
  return words.get(value) ?? String(value);
}

/** A value as Python's `str` writes it. */
export function pythonText(value: unknown): string {
  return typeof value === 'string' ? value : pythonRepr(value);
}

const words = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
  [undefined, 'None'],
]);

/** Characters that Python does not print: all that is no letter, mark, number, punctuation or symbol, but for the blank. */
const unprintable = /(?! )[\p{C}\p{Z}]/gu;

function escape(character: string): string {
  const short = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character];
  if (short !== undefined) return short;
  const code = (character.codePointAt(0) ?? 0).toString(16);
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}

function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll('\\', '\\\\').replaceAll(unprintable, escape);
  return mark + (mark === "'" ? escaped.replaceAll("'", String.raw`\'`) : escaped) + mark;
}
