/**
 * Reads a number in Python's notation: digits with single `_` between them, a sign, a fraction, an exponent. Undefined
 * if the text is not a number.
 */
export function readNumber(text: string): number | bigint | undefined {
  const plain = text.replaceAll(/(?<=\d)_(?=\d)/g, '');
  if (/^[+-]?\d+$/.test(plain)) {
    const exact = BigInt(plain.replace('+', ''));
    const number = Number(exact);
    return Number.isSafeInteger(number) ? number : exact;
  }
  return /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(plain) ? Number(plain) : undefined;
}

/** Reads a number that may have white space around it, as a database casts a text to a number. */
export function readSpacedNumber(text: string): number | bigint | undefined {
  return readNumber(text.replaceAll(/^[\t-\r ]+|[\t-\r ]+$/g, ''));
}
