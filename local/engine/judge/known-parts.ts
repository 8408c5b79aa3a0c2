import type { KnownDifference } from './known-difference.ts';
import { sameMistake } from './known-messages.ts';
import { isObject, type NormalAnswer } from './normalise.ts';
import type { Trial } from './trials.ts';

/** Differences of requests with several mistakes in different places. */
export const knownParts: readonly KnownDifference[] = [
  {
    reason: 'of mistakes in several places any may be told: both engines find each of both where it is alone',
    reference:
      'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html, ' +
      'API_BatchWriteItem.html, API_BatchGetItem.html and API_UpdateItem.html, which document no order',
    matches: ({ path, exchange }) => {
      if ((path !== 'message' && path !== 'outcome') || exchange === undefined) return false;
      const [ours, theirs] = [mistakesIn(exchange.left), mistakesIn(exchange.right)];
      const agreed = exchange.trials.filter(agrees);
      const isFound = (side: 'left' | 'right', mistake: string) =>
        agreed.some((trial) => mistakesIn(trial[side]).includes(mistake));
      return (
        ours.length > 0 &&
        theirs.length > 0 &&
        ours.every((mistake) => isFound('left', mistake)) &&
        theirs.every((mistake) => isFound('right', mistake))
      );
    },
  },
];

/** Whether both engines tell the same mistakes of a part. */
function agrees({ left, right }: Trial): boolean {
  const [ours, theirs] = [mistakesIn(left), mistakesIn(right)];
  return ours.some((mistake) => theirs.some((other) => sameMistake(mistake, other)));
}

/** The mistakes of a request that an answer tells: its message, or the reasons of a cancelled transaction. */
function mistakesIn({ error, message, body }: NormalAnswer): string[] {
  if (error === 'ValidationException') return [message ?? ''];
  const reasons = error === 'TransactionCanceledException' ? body['CancellationReasons'] : undefined;
  if (!Array.isArray(reasons)) return [];
  return reasons.flatMap((reason: unknown) =>
    isObject(reason) && reason['Code'] === 'ValidationError' ? [String(reason['Message'])] : [],
  );
}
