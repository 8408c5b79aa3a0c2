/** Parses when a job runs, and what it runs. */

/** What a job cannot run without: a folder to list or to write into, which it makes, or a file to read. */
export interface JobNeed {
  readonly path: string;
  readonly use: 'list' | 'read' | 'write';
}

/** Reads the options of a command; returns what it needs. Throws an Error that explains a mistake. */
export type JobCommand = (args: readonly string[]) => readonly JobNeed[];

/** A job as the option `--job` names it. */
export interface JobPlan {
  /** The whole text, without the time; it tells jobs apart. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly needs: readonly JobNeed[];
  /** The first time after another one at which it is due; both in milliseconds since 1970. */
  readonly nextAfter: (time: number) => number;
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
const daysAhead = 366;

const form =
  'is no job. A job has a time and a command with its options: `02:30 backup --to /backups`, `sun 04:00 check-storage ...`, ' +
  '`1 06:00 report ...` on the first of each month, or `every 6h ...`.';

/**
 * Reads a job.
 *
 * @param commands The commands that may be jobs.
 * @throws Error that says what a job looks like.
 */
export function readJob(text: string, commands: Readonly<Record<string, JobCommand>>): JobPlan {
  const match =
    /^\s*(?:every (?<count>[1-9]\d{0,4})(?<unit>[smh])|(?:(?<day>[a-z]{3}|\d{1,2}) )?(?<hour>\d{1,2}):(?<minute>\d\d))\s+(?<rest>\S.*)$/.exec(
      text,
    )?.groups;
  if (match === undefined) throw new Error(`'${text}' ${form}`);
  const [command = '', ...args] = splitWords(match['rest'] ?? '');
  const nextAfter = scheduleOf(match, text);
  return { name: [command, ...args].join(' '), command, args, needs: needsOf(command, args, commands), nextAfter };
}

function needsOf(
  command: string,
  args: readonly string[],
  commands: Readonly<Record<string, JobCommand>>,
): readonly JobNeed[] {
  const read = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (read === undefined) throw new Error(`'${command}' is no job; those are ${Object.keys(commands).join(', ')}.`);
  try {
    return read(args);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The job \`${[command, ...args].join(' ')}\` cannot run: ${reason}`, { cause: error });
  }
}

function scheduleOf(match: Readonly<Record<string, string | undefined>>, text: string): (time: number) => number {
  const { count, unit = '', day, hour, minute } = match;
  if (count !== undefined) {
    const interval = Number(count) * (units[unit] ?? 0);
    return (time) => (Math.floor(time / interval) + 1) * interval;
  }
  const [hours, minutes] = [Number(hour), Number(minute)];
  const weekday = day === undefined ? -1 : weekdays.indexOf(day);
  const date = /^\d+$/.test(day ?? '') ? Number(day) : undefined;
  const isDay = day === undefined || weekday >= 0 || (date !== undefined && date >= 1 && date <= 28);
  if (!isDay || hours > 23 || minutes > 59) throw new Error(`'${text}' ${form}`);
  return (time) => {
    const start = new Date(time);
    for (let days = 0; days <= daysAhead; days += 1) {
      // In the time of the machine, which jumps twice a year in many places.
      const due = new Date(start.getFullYear(), start.getMonth(), start.getDate() + days, hours, minutes);
      const fits = date === undefined ? weekday < 0 || due.getDay() === weekday : due.getDate() === date;
      if (fits && due.getTime() > time) return due.getTime();
    }
    throw new Error(`'${text}' is never due`);
  };
}

/** Splits a command line into words; quotes keep blanks together. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_all, double: string | undefined, single: string | undefined) =>
      String(double ?? single),
    ),
  );
}
