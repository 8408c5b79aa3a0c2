import type { BytesLimit } from '../../contract/schemas/account-limit.ts';
import { addIntegers, type Integer, negate } from '../../integer.ts';
import { unlimited } from '../../json.ts';

/** The stored value that means no limit. */
const noLimit = -1;

/** A limit as answers show it. */
export function toBytesLimit(bytes: Integer): BytesLimit {
  return bytes === noLimit ? unlimited : bytes;
}

/** The unused part of a limit; negative when more is used than allowed. */
export function remainingBytes(limit: Integer, used: Integer): BytesLimit {
  return limit === noLimit ? unlimited : addIntegers(limit, negate(used));
}
