import type { BytesLimit } from '../../contract/schemas/account-limit.ts';
import { addIntegers, type Integer, negate } from '../../integer.ts';
import { unlimited } from '../../json.ts';

/** What the table holds where there is no limit. */
const noLimit = -1;

/** A limit as an answer carries it. */
export function toLimit(bytes: Integer): BytesLimit {
  return bytes === noLimit ? unlimited : bytes;
}

/** What is left of a limit; less than nothing where more is used. */
export function remaining(limit: Integer, used: Integer): BytesLimit {
  return limit === noLimit ? unlimited : addIntegers(limit, negate(used));
}
