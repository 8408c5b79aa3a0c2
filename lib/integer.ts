/** An exact integer: a number where that is exact, a bigint beyond 2^53. */
export type Integer = number | bigint;

/** Exact sum; the answer is a number whenever that is exact. */
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

/** Turns a bigint into a number where that is exact. */
export function narrow(value: bigint): Integer {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Reads a decimal integer text of any size. */
export function parseInteger(text: string): Integer {
  return narrow(BigInt(text));
}
