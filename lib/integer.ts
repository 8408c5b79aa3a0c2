/** An exact integer: a number up to 2^53, a bigint beyond. */
export type Integer = number | bigint;

/** Exact sum, as a number if that is exact. */
export function addIntegers(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return narrow(BigInt(a) + BigInt(b));
}

/** Exact negation. */
export function negate(a: Integer): Integer {
  return a === 0 ? 0 : -a;
}

/** Turns a bigint into a number if that is exact. */
export function narrow(value: bigint): Integer {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Parses a decimal integer of any size. */
export function parseInteger(text: string): Integer {
  return narrow(BigInt(text));
}
