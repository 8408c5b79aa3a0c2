/**
 * Reads a number in Python's notation: digits with single `_` between them, a sign, a fraction, an exponent. Undefined
 * if the text is not a number.
 */
export function readNumber(text: string): number | bigint | undefined {
  const plain = toPlain(text);
  if (plain === undefined) return undefined;
  if (!/^[+-]?\d+$/.test(plain)) return Number(plain);
  const exact = BigInt(plain.replace('+', ''));
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

/** Reads a number as {@link readNumber}, rounded to a float: in linear time, where an exact integer takes longer. */
export function readFloat(text: string): number | undefined {
  const plain = toPlain(text);
  return plain === undefined ? undefined : Number(plain);
}

/** A number in Python's notation without `_`; undefined for any other text. */
function toPlain(text: string): string | undefined {
  // Most texts are none, and some are long.
  if (!/^[+-]?[.\d]/.test(text)) return undefined;
  const plain = text.replaceAll(/(?<=\d)_(?=\d)/g, '');
  return /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(plain) ? plain : undefined;
}

/** Reads a number that may have white space around it, as a database casts a text to a number. */
export function readSpacedNumber(text: string): number | bigint | undefined {
  return readNumber(withoutSpace(text));
}

/** Reads a number as {@link readSpacedNumber}, rounded to a float: in linear time. */
export function readSpacedFloat(text: string): number | undefined {
  return readFloat(withoutSpace(text));
}

function withoutSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (start < end && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Whether a unit is a blank, or one of the control characters from the tabulator to the carriage return. */
const isSpace = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d);
