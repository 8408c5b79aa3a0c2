import { perMonth, perUse, secondsPerMonth } from './price-list.ts';

/** A resource of a CloudFormation template. */
interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** A line of the bill of a deployment that nobody uses. */
export interface IdleLine {
  readonly what: string;
  readonly count: number;
  /** USD a month for all. */
  readonly price: number;
}

/** The billed seconds of a scheduled run that finds nothing to do, at 512 MB. */
const idleRun = { seconds: 0.05, gigabytes: 0.5 };

/** Cost of a deployment a month while nobody uses it, without storage. */
export function listIdleCosts(resources: readonly Resource[]): IdleLine[] {
  const count = (type: string) => resources.filter(({ Type }) => Type === type).length;
  const runs = resources
    .filter(({ Type }) => Type === 'AWS::Scheduler::Schedule' || Type === 'AWS::Events::Rule')
    .reduce((sum, { Properties = {} }) => sum + runsPerMonth(Properties['ScheduleExpression']), 0);
  const runPrice = perUse.invocation + idleRun.seconds * idleRun.gigabytes * perUse.gigabyteSecond;
  const filters = count('AWS::Logs::MetricFilter');
  const line = (what: string, number: number, price: number): IdleLine => ({
    what,
    count: number,
    price: number * price,
  });
  return [
    line('alarms', count('AWS::CloudWatch::Alarm'), perMonth.alarm),
    line('dashboards', count('AWS::CloudWatch::Dashboard'), perMonth.dashboard),
    line('metrics made of logs, while they have values', filters, perMonth.customMetric),
    line('secrets', count('AWS::SecretsManager::Secret'), perMonth.secret),
    line('scheduled runs of functions', Math.round(runs), runPrice),
  ].filter(({ count: number }) => number > 0);
}

/** The runs a month of `rate(5 minutes)` and the like; 0 for what has no rate. */
function runsPerMonth(expression: unknown): number {
  const [, number, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(String(expression)) ?? [];
  if (number === undefined || unit === undefined) return 0;
  const seconds = { minute: 60, hour: 3_600, day: 86_400 }[unit as 'minute' | 'hour' | 'day'];
  return secondsPerMonth / (Number(number) * seconds);
}
