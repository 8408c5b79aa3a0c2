import { clock } from '../../clock.ts';
import type { Status } from '../../contract/schemas/monitoring.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import type { Table } from '../../store/batches/table.ts';
import { getAccount } from '../../store/entities/account.ts';
import { endOfEvents } from '../../store/entities/event.ts';
import { listDueWork } from '../../store/entities/work.ts';
import { consumers, getFirstOwed } from '../../store/stream/owed-changes.ts';
import { getSurroundings, type JobRun } from '../../surroundings.ts';
import { formatDate, formatOptionalDate } from '../../time.ts';

/** At most this many due tasks are counted. */
const countedTasks = 1_000;

/** From these bounds on, in milliseconds, an operator has to look. Tasks begin within seconds of their time. */
const bounds = { table: 2_000, clock: 1_000, stream: 60_000, task: 600_000, backup: 7 * 86_400_000, ahead: 3_600_000 };

/**
 * How the catalogue is. Costs a read unit for each thing and two for a hundred due tasks.
 *
 * @throws AccessDenied (401); DatabaseException (503) if the table does not answer.
 */
export async function getStatus(context: Context): Promise<Status> {
  await authorize(context, 'list_heartbeats', undefined);
  const table = context.store.table.latest();
  const watch = clock.stopwatch();
  await getAccount(table, 'root');
  const milliseconds = Math.round(watch.elapsed());
  const [end, tasks, owed] = await Promise.all([
    endOfEvents(table),
    countDueTasks(table, context.now),
    Promise.all(consumers.map((consumer) => getFirstOwed(table, consumer))),
  ]);
  const surroundings = getSurroundings();
  const lastBackup = surroundings?.lastBackup();
  const jobs = surroundings?.jobs();
  const status = {
    table: { milliseconds },
    clock: { correction: Math.round(clock.correction) },
    events: { last_at: formatOptionalDate(end?.at) },
    stream: { behind_seconds: surroundings === undefined ? null : Math.max(0, ...surroundings.streamLags().values()) },
    backup: { last_at: formatOptionalDate(lastBackup) },
    jobs: jobs?.map(describeJob) ?? null,
    tasks: { ...tasks, oldest_due_at: formatOptionalDate(tasks.oldest_due_at) },
    owed: owed.some((one) => one !== undefined),
  };
  const since = (at: number | null | undefined) => context.now - (at ?? context.now);
  const diskProblem = surroundings?.diskProblem();
  const problems = [
    ...(diskProblem === undefined ? [] : [diskProblem]),
    ...findProblems(status, since(tasks.oldest_due_at), since(lastBackup)),
    ...(jobs ?? [])
      .filter(({ isWell }) => !isWell)
      .map(({ name, verdict, said }) => `The job ${name} ${verdict}: ${said}`),
  ];
  return { problems, ...status };
}

function describeJob({ name, verdict, endedAt, wellAt, said }: JobRun): NonNullable<Status['jobs']>[number] {
  const success_at = formatOptionalDate(wellAt);
  return { job: name, result: verdict, ended_at: formatDate(endedAt), success_at, message: said };
}

async function countDueTasks(table: Table, now: number) {
  let count = 0;
  let oldest: number | null = null;
  for await (const { due } of listDueWork(table, now)) {
    if (count === countedTasks) return { count, more: true, oldest_due_at: oldest };
    oldest ??= due;
    count += 1;
  }
  return { count, more: false, oldest_due_at: oldest };
}

function findProblems(
  { table, clock: { correction }, stream, owed }: Omit<Status, 'problems'>,
  waiting: number,
  backupAge: number,
): string[] {
  const problems: string[] = [];
  if (table.milliseconds > bounds.table)
    problems.push(`The table took ${table.milliseconds} ms to answer a read of one item.`);
  if (Math.abs(correction) > bounds.clock)
    problems.push(`The clock of this process is wrong by ${correction} ms: it follows the clock of the table.`);
  const behind = stream.behind_seconds ?? 0;
  if (behind * 1_000 > bounds.stream)
    problems.push(`Changes are followed ${Math.round(behind)} seconds late: rules, usage and events are behind.`);
  if (waiting > bounds.task)
    problems.push(
      `A task has been due for ${Math.round(waiting / 60_000)} minutes: the background work does not keep up or fails.`,
    );
  if (owed) problems.push('Changes from before a backup are still being followed: rules, usage and events are behind.');
  if (backupAge > bounds.backup)
    problems.push(`The last backup is ${Math.floor(backupAge / 86_400_000)} days old (npm run export).`);
  if (backupAge < -bounds.ahead)
    problems.push('The last backup is dated in the future: its age is not known. Take a new one (npm run export).');
  return problems;
}
