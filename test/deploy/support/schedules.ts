import type { Aws } from './aws.ts';

const minute = 60_000;

/**
 * Calls what runs on a schedule once a minute, as `npm start` does: the tests wait for an expiry for two minutes and a half,
 * the stack looks every five. What the stack itself has called every minute is left to the emulator.
 *
 * @returns how many functions are called, and how to stop.
 */
export async function hurrySchedules(
  aws: Aws,
  say: (line: string) => void,
): Promise<{ readonly count: number; stop(): void }> {
  const { Rules } = await aws.json<{ Rules: { Name: string; ScheduleExpression?: string }[] }>(
    'events',
    'ListRules',
    {},
  );
  const slow = Rules.filter(({ ScheduleExpression = '' }) => /^rate\(\d+ minutes\)$/.test(ScheduleExpression));
  const targets = await Promise.all(
    slow.map(({ Name: Rule }) => aws.json<{ Targets: { Arn: string }[] }>('events', 'ListTargetsByRule', { Rule })),
  );
  const functions = targets.flatMap(({ Targets }) => Targets.map(({ Arn }) => Arn));
  const call = (name: string) => aws.invoke(name, {}).catch((error: unknown) => say(String(error)));
  const timer = setInterval(() => void Promise.all(functions.map(call)), minute);
  return { count: functions.length, stop: () => clearInterval(timer) };
}
