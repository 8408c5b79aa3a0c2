import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

import { clock } from '../../clock.ts';
import { log } from '../../log.ts';
import { countMetric } from '../../metric.ts';

/** The header in which the endpoint of a local server tells its time, in milliseconds since 1970. */
export const timeHeader = 'x-dapple-time';

/** From this difference on a clock is wrong, in milliseconds. Clocks that are kept right differ by less than a second. */
export const wrongClockMs = 5_000;

/** How often it is said again, in milliseconds. */
const sayAgainMs = 3_600_000;

let said: { readonly age: ReturnType<typeof clock.stopwatch> } | undefined;

/**
 * Makes a client compare the clock of this machine with that of the table, which each answer tells: with `Date`, to the second, or
 * exactly, if it is the endpoint of a local server. A clock that is wrong is corrected, and logged.
 *
 * @param followsDate Whether `Date` is of a clock that is right.
 */
export function attachServerTime(client: DynamoDBClient, followsDate: boolean): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const sent = followsDate ? clock.freeTime() : undefined;
      const result = await next(args);
      const { headers = {} } = result.response as { readonly headers?: Readonly<Record<string, string>> };
      const exact = headers[timeHeader];
      if (exact !== undefined) clock.observe(Number(exact));
      else if (sent !== undefined && headers['date'] !== undefined) clock.compare(Date.parse(headers['date']), sent);
      reportWrongClock();
      return result;
    },
    { step: 'deserialize', name: 'serverTime', priority: 'low' },
  );
}

function reportWrongClock(): void {
  const { correction } = clock;
  if (Math.abs(correction) < wrongClockMs || (said !== undefined && said.age.elapsed() < sayAgainMs)) return;
  said = { age: clock.stopwatch() };
  log.warn('the clock of this machine is wrong; Dapple goes by that of the table', {
    milliseconds: -correction,
    ...countMetric('ClocksWrong'),
  });
}
