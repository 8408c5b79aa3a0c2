import { makeMistake } from './mistakes.ts';
import { Random } from './random.ts';
import { anyBatchGet, anyGetItem, anyQuery, anyScan, anyTransactGet } from './reads.ts';
import type { JudgedRequest } from './request.ts';
import { anyBatchExecute, anyExecuteStatement } from './statements.ts';
import { anyBatchWrite, anyDelete, anyPut, anyTransactWrite, anyUpdateItem } from './writes.ts';

/** Probability of a request with an additional mistake. */
const mistaken = 0.06;

/** Probability that the last transaction with a token is repeated. */
const repeated = 0.005;

const weights: readonly (readonly [number, (random: Random) => JudgedRequest])[] = [
  [10, anyGetItem],
  [4, anyBatchGet],
  [20, anyQuery],
  [2, anyScan],
  [14, anyPut],
  [20, anyUpdateItem],
  [7, anyDelete],
  [8, anyTransactWrite],
  [3, anyTransactGet],
  [4, anyBatchWrite],
  [5, anyExecuteStatement],
  [3, anyBatchExecute],
];

/**
 * The requests of a run.
 *
 * @param run A text unique to the run: engines store tokens of transactions for ten minutes.
 */
export function* generateRequests(seed: number, run: string): Generator<JudgedRequest, never> {
  const random = new Random(seed);
  let last: JudgedRequest | undefined;
  for (;;) {
    if (last !== undefined && random.chance(repeated)) yield last;
    const request = random.weighted(weights)(random);
    const { ClientRequestToken: token } = request.body;
    if (typeof token === 'string') {
      request.body['ClientRequestToken'] = `${run}-${token}`;
      last = request;
    }
    yield random.chance(mistaken) ? makeMistake(random, request) : request;
  }
}
