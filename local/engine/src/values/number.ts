import { validationError } from '../errors.ts';

/*
 * Numbers of DynamoDB: decimal, 38 significant digits, magnitudes from 1E-130 to 9.9E+125.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
 */

/** A decimal number: `0.digits` times ten to the power of `exponent`. `digits` has no leading or trailing zeros. */
export interface Decimal {
  readonly negative: boolean;
  /** Empty for zero. */
  readonly digits: string;
  readonly exponent: number;
}

const maxDigits = 38;
const maxExponent = 126;
const minExponent = -129;

/**
 * Parses a number.
 *
 * @throws ValidationException if it is not a number, or not one that DynamoDB can represent.
 */
export function parseNumber(text: string): Decimal {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  const [, sign = '', whole = '', fraction = '', power = '0'] = found ?? [];
  if (found === null || whole.length + fraction.length === 0) {
    throw validationError(
      text === ''
        ? 'The parameter cannot be converted to a numeric value'
        : `The parameter cannot be converted to a numeric value: ${text}`,
    );
  }
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  if (digits === '') return zero;
  const exponent = Number(power) + all.length - fraction.length;
  if (exponent > maxExponent) throw overflow();
  if (exponent < minExponent) throw underflow();
  if (digits.length > maxDigits) {
    throw validationError('Attempting to store more than 38 significant digits in a Number');
  }
  return { negative: sign === '-', digits, exponent };
}

const overflow = () =>
  validationError('Number overflow. Attempting to store a number with magnitude larger than supported range');

const underflow = () =>
  validationError('Number underflow. Attempting to store a number with magnitude smaller than supported range');

const zero: Decimal = { negative: false, digits: '', exponent: 0 };

/** The text of a number in DynamoDB's answers: plain digits, of any length. */
export function printNumber({ negative, digits, exponent }: Decimal): string {
  if (digits === '') return '0';
  return (negative ? '-' : '') + printMagnitude(digits, exponent);
}

function printMagnitude(digits: string, exponent: number): string {
  if (exponent >= digits.length) return digits.padEnd(exponent, '0');
  if (exponent > 0) return `${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
  return `0.${'0'.repeat(-exponent)}${digits}`;
}

/** Integers of up to 15 digits are already in DynamoDB's notation. */
const plain = /^(?:0|-?[1-9]\d{0,14})$/;

/** The text of a number in its stored and answered form. */
export function normaliseNumber(text: string): string {
  return plain.test(text) ? text : printNumber(parseNumber(text));
}

/** Compares two numbers: negative if the first is smaller, zero if they are equal. */
export function compareNumbers(left: string, right: string): number {
  if (left === right) return 0;
  if (plain.test(left) && plain.test(right)) return Number(left) - Number(right);
  return compareDecimals(parseNumber(left), parseNumber(right));
}

function compareDecimals(left: Decimal, right: Decimal): number {
  const [leftSign, rightSign] = [signOf(left), signOf(right)];
  if (leftSign !== rightSign) return leftSign - rightSign;
  if (left.exponent !== right.exponent) return leftSign * (left.exponent - right.exponent);
  if (left.digits === right.digits) return 0;
  return leftSign * (left.digits < right.digits ? -1 : 1);
}

function signOf({ negative, digits }: Decimal): number {
  if (digits === '') return 0;
  return negative ? -1 : 1;
}

/**
 * The sum of two numbers.
 *
 * @throws ValidationException if it is out of range.
 */
export function addNumbers(left: string, right: string): string {
  if (plain.test(left) && plain.test(right)) return String(Number(left) + Number(right));
  return printSum(parseNumber(left), parseNumber(right));
}

/**
 * The difference of two numbers.
 *
 * @throws ValidationException if it is out of range.
 */
export function subtractNumbers(left: string, right: string): string {
  const subtrahend = parseNumber(right);
  return printSum(parseNumber(left), { ...subtrahend, negative: !subtrahend.negative });
}

function printSum(left: Decimal, right: Decimal): string {
  if (left.digits === '') return printNumber(right.digits === '' ? zero : right);
  if (right.digits === '') return printNumber(left);
  const scale = Math.min(left.exponent - left.digits.length, right.exponent - right.digits.length);
  const sum = shift(left, scale) + shift(right, scale);
  if (sum === 0n) return '0';
  const negative = sum < 0n;
  const magnitude = String(negative ? -sum : sum);
  const digits = magnitude.replace(/0+$/, '');
  const exponent = magnitude.length + scale;
  // AWS answers the same error for a sum that it cannot represent exactly.
  if (digits.length > maxDigits || exponent > maxExponent) throw overflow();
  if (exponent < minExponent) throw underflow();
  return printNumber({ negative, digits, exponent });
}

/** The number in units of ten to the power of `scale`. */
function shift({ negative, digits, exponent }: Decimal, scale: number): bigint {
  const magnitude = BigInt(digits.padEnd(exponent - scale, '0'));
  return negative ? -magnitude : magnitude;
}

/** Bytes that sort like the numbers. */
export function encodeNumber(text: string): Buffer {
  const { negative, digits, exponent } = parseNumber(text);
  if (digits === '') return Buffer.from([0x80]);
  // The exponent first, then two digits per byte; an odd last digit is followed by a zero.
  const padded = digits.length % 2 === 0 ? digits : `${digits}0`;
  const bytes = Buffer.alloc(2 + padded.length / 2 + (negative ? 1 : 0));
  const biased = exponent + 512;
  bytes[0] = 0x81 + (biased >> 8);
  bytes[1] = biased & 0xff;
  for (let i = 0; i < padded.length; i += 2) bytes[2 + i / 2] = Number(padded.slice(i, i + 2)) + 1;
  if (!negative) return bytes;
  for (let i = 0; i < bytes.length - 1; i += 1) bytes[i] = 0xff - (bytes[i] ?? 0);
  bytes[0] = 0x7f - (biased >> 8);
  bytes[bytes.length - 1] = 0xff;
  return bytes;
}

/** The maximum size of a number, however its digits are paired. */
const maxNumberBytes = 21;
const zeroCode = 48;

/**
 * The size of a number in an item: one byte for two significant digits, one more, and one for a minus; zero takes one.
 * AWS calls that approximate. Pairs of digits begin at the decimal point, as in DynamoDB Local.
 */
export function numberSize(text: string): number {
  const sign = text.startsWith('-') ? 1 : 0;
  if (plain.test(text)) {
    if (text === '0') return 1;
    let zeros = 0;
    while (text.charCodeAt(text.length - 1 - zeros) === zeroCode) zeros += 1;
    return Math.ceil((text.length - sign) / 2) - Math.floor(zeros / 2) + 1 + sign;
  }
  const { digits, exponent } = parseNumber(text);
  if (digits === '') return 1;
  const pairs = Math.ceil((digits.length + Math.abs(exponent % 2)) / 2);
  return Math.min(pairs + 1 + sign, maxNumberBytes);
}
