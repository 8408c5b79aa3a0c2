/** The parts of a number in requests and answers. */
const notation = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** The same text for all notations of a number, such as `100` and `1E+2`; other texts stay unchanged. */
export function canonicalNumber(text: string): string {
  const parts = notation.exec(text);
  if (parts === null) return text;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const kept = digits.replace(/0+$/, '');
  return `${sign === '-' ? '-' : ''}${kept}E${Number(exponent) - fraction.length + digits.length - kept.length}`;
}

/** Whether a text is a number in the notation in which DynamoDB returns it, such as `100`. */
export const isReturned = (text: string): boolean => text !== '-0' && /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/.test(text);
