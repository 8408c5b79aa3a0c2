import { measureRow, type MeasureOptions } from './measure.ts';
import { ProcessorTime, type ThreadKind, threadSeconds } from './processor-time.ts';
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

/** Threads beside the one that answers, which is the only one that the profiler sees. */
const otherThreads: readonly (readonly [kind: ThreadKind, part: string])[] = [
  ['workers', 'threads of reactions and reads'],
  ['v8', 'threads of V8: GC, compiler'],
  ['libuv', 'threads of libuv: disk, zlib'],
  ['others', 'other threads: the profiler'],
];

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
  const samples: Record<ThreadKind, number>[] = [];
  let profile: Profile | undefined;
  const begin = async () => {
    await profiler.start();
    samples.push(threadSeconds(pid));
  };
  const end = async () => {
    samples.push(threadSeconds(pid));
    profile = await profiler.stop();
  };
  requireRight(await measureRow(row, 1, { ...measureOptions, begin, end }));
  if (profile === undefined) throw new Error(`${row.name} was not profiled`);
  const shareOf = sharesOfThreads(samples);
  const parts = [...sharesOfParts(profile)].map(([name, share]) => [name, share * shareOf('main')] as const);
  const threads = otherThreads.map(([kind, name]) => [name, shareOf(kind)] as const);
  return {
    name: row.name,
    cpuMs: plain.serverCpuMs ?? 0,
    parts: new Map([...parts, ...threads]),
    functions: sharesOfFunctions(profile),
  };
}

/** The share of each kind of threads in the processor time between two samples. */
function sharesOfThreads([before, after]: readonly Record<ThreadKind, number>[]): (kind: ThreadKind) => number {
  const used = (kind: ThreadKind) => (after?.[kind] ?? 0) - (before?.[kind] ?? 0);
  const all = used('main') + otherThreads.reduce((sum, [kind]) => sum + used(kind), 0);
  return (kind) => used(kind) / all;
}

function requireRight(row: RowResult): RowResult {
  if (row.errors > 0) throw new Error(`${row.name}: ${row.faults?.join('; ')}`);
  return row;
}
