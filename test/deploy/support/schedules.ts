import type { Aws } from './aws.ts';

const minute = 60_000;

/**
 * Calls the less frequent scheduled functions once a minute, as `npm start` does: tests wait two and a half minutes for an expiry,
 * but the stack schedules it every five. The emulator runs the functions of every minute.
 *
 * @returns the number of called functions, and how to stop.
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
