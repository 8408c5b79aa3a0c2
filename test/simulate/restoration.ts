/** A backup at any moment, which is restored to another table, and goes on. */
import type { ServiceModule } from './bundle.ts';
import type { FaultInjector } from './faults.ts';
import type { Fleet } from './fleet.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';
import type { Stream } from './stream.ts';
import type { SimulatedTable } from './table.ts';

/** The parts of a deployment that a restoration replaces or uses. */
interface Parts {
  readonly fleet: Fleet;
  readonly stream: Stream;
  readonly table: SimulatedTable;
  readonly faultInjector: FaultInjector;
  readonly scheduler: Scheduler;
}

/** Invokes an instance without faults. */
type Invoke = <T>(work: (service: ServiceModule) => Promise<T>) => Promise<T>;

/** The pause after a failure, in milliseconds. */
const pauseMs = 2_000;

/** An export that is loaded, or a copy of the table at a point in time, which has lost its stream. */
export type BackupKind = 'export' | 'copy';

/**
 * Ends all processes, whatever they do, and restores the catalogue as it is then to an empty table. Nothing must be requested
 * meanwhile.
 */
export async function restoreBackup(
  { fleet, stream, table }: Pick<Parts, 'fleet' | 'stream' | 'table'>,
  kind: BackupKind,
  invoke: Invoke,
): Promise<void> {
  const takeWaiting = () => ({
    fast: stream.takeWaiting('consume-stream'),
    slow: stream.takeWaiting('follow-up-stream'),
  });
  fleet.end();
  if (kind === 'copy') {
    const items = table.scan();
    await table.replace(async () => table.put(items));
    takeWaiting();
    await invoke((service) => service.catchUp());
    return fleet.end();
  }
  await invoke((service) => service.settleAll());
  const waiting = takeWaiting();
  const backup = await invoke((service) => service.exportAll(waiting));
  fleet.end();
  await table.replace(() => invoke((service) => service.load(backup)));
  fleet.end();
  takeWaiting();
}

/** Follows what the catalogue owes since the backup, with the faults of the deployment. */
export async function followOwed(
  { fleet, faultInjector, scheduler }: Pick<Parts, 'fleet' | 'faultInjector' | 'scheduler'>,
  random: Random,
  mayGoOn: () => boolean,
): Promise<void> {
  for (let isDone = false; !isDone && mayGoOn();) {
    const decide = faultInjector.decideBy(random.fork(`owed ${scheduler.now}`));
    const run = fleet.invoke(random.fork('run'), decide, (service) => service.followAllOwed());
    isDone = await run.catch(() => false);
    if (!isDone) await scheduler.sleep(pauseMs);
  }
}
