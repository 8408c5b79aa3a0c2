import { measureRow, type MeasureOptions } from './measure.ts';
import { mainThreadSeconds, ProcessorTime } from './processor-time.ts';
import { sharesOfFunctions, sharesOfParts, type Shares } from './profile-parts.ts';
import type { Profile, Profiler } from './profiler.ts';
import type { RowResult } from './results.ts';
import type { Row } from './row.ts';

export interface ProfileOptions extends Pick<MeasureOptions, 'client' | 'requests'> {
  readonly pid: number;
  readonly profiler: Profiler;
  readonly seconds: number;
}

/** Where the processor time of a row goes. */
export interface RowProfile {
  readonly name: string;
  /** Processor time of a request in ms, of all threads, measured without the profiler. */
  readonly cpuMs: number;
  /** Shares of that time. */
  readonly parts: Shares;
  /** Shares of the time of the main thread. */
  readonly functions: Shares;
}

/** Threads of V8 and libuv: the profiler sees only the one that runs JavaScript. */
const otherThreads = 'other threads: GC, compiler, zlib';

/**
 * Measures a row over one connection three times: to let V8 compile what is called often, for its processor time, and with
 * the profiler, which takes processor time itself, for the shares.
 *
 * @throws Error if an answer is wrong, or if the system does not say what a process uses.
 */
export async function profileRow(row: Row, options: ProfileOptions): Promise<RowProfile> {
  const { client, requests, pid, profiler, seconds } = options;
  const processorTime = ProcessorTime.of([pid]);
  if (processorTime === undefined) throw new Error('the processor time of a process is known on Linux only');
  const measureOptions = { client, requests, processorTime, seconds, mixedSeconds: seconds };
  await measureRow(row, 1, { ...measureOptions, seconds: seconds / 2 });
  const plain = requireRight(await measureRow(row, 1, measureOptions));
  const used = { all: 0, main: 0 };
  let profile: Profile | undefined;
  const count = (sign: 1 | -1) => {
    used.all += sign * processorTime.seconds();
    used.main += sign * mainThreadSeconds(pid);
  };
  const begin = async () => {
    await profiler.start();
    count(-1);
  };
  const end = async () => {
    count(1);
    profile = await profiler.stop();
  };
  requireRight(await measureRow(row, 1, { ...measureOptions, begin, end }));
  if (profile === undefined) throw new Error(`${row.name} was not profiled`);
  const main = used.main / used.all;
  const parts = new Map([...sharesOfParts(profile)].map(([name, share]) => [name, share * main]));
  return {
    name: row.name,
    cpuMs: plain.serverCpuMs ?? 0,
    parts: parts.set(otherThreads, 1 - main),
    functions: sharesOfFunctions(profile),
  };
}

function requireRight(row: RowResult): RowResult {
  if (row.errors > 0) throw new Error(`${row.name}: ${row.faults?.join('; ')}`);
  return row;
}
