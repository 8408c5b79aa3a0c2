import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';

/** Clock ticks of Linux in a second. */
const ticksPerSecond = 100;

/** Whether the system says what its processes use. */
const isKnown = existsSync('/proc/self/stat');

/** Samples the processes of a server: those with the given ids, and all that they have started. */
export class ProcessorTime {
  readonly #pids: ReadonlySet<number>;

  private constructor(pids: readonly number[]) {
    this.#pids = new Set(pids);
  }

  /** Undefined without processes, or where the system does not say what they use. */
  static of(pids: readonly number[]): ProcessorTime | undefined {
    return pids.length > 0 && isKnown ? new ProcessorTime(pids) : undefined;
  }

  /** Seconds of processor time so far, with those of processes that have ended and were waited for. */
  seconds(): number {
    const ticks = this.#list().map(({ fields }) => sum(fields.slice(11, 15)));
    return sum(ticks) / ticksPerSecond;
  }

  /** Resident memory in MB; pages that processes share are counted once, where the system allows to see that. */
  memoryMb(): number {
    const kilobytes = this.#list().map(({ pid }) => {
      const shared = /^Pss:\s+(\d+)/m.exec(readOrNothing(`/proc/${pid}/smaps_rollup`))?.[1];
      return Number(shared ?? /VmRSS:\s+(\d+)/.exec(readOrNothing(`/proc/${pid}/status`))?.[1] ?? 0);
    });
    return Math.round(sum(kilobytes) / 1024);
  }

  /** All processes, each with its fields of /proc/<pid>/stat from the state on. */
  #list(): { readonly pid: number; readonly fields: readonly string[] }[] {
    const all = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), fields: readStat(`/proc/${name}`).fields }));
    const children = Map.groupBy(all, ({ fields }) => Number(fields[1]));
    const found = all.filter(({ pid }) => this.#pids.has(pid));
    // The list grows while it is read.
    for (const { pid } of found) {
      found.push(...(children.get(pid) ?? []).filter((child) => !found.includes(child)));
    }
    return found;
  }
}

/** The threads of a process of Node: the first one, workers, those of V8, of libuv, and others. */
export type ThreadKind = 'main' | 'workers' | 'v8' | 'libuv' | 'others';

/** The names that Node gives its threads. */
const kindOfName: Readonly<Record<string, ThreadKind>> = {
  WorkerThread: 'workers',
  V8Worker: 'v8',
  'libuv-worker': 'libuv',
};

/** Seconds of processor time of the threads of a process so far. */
export function threadSeconds(pid: number): Record<ThreadKind, number> {
  const seconds = { main: 0, workers: 0, v8: 0, libuv: 0, others: 0 };
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const { name, fields } = readStat(`/proc/${pid}/task/${id}`);
    seconds[id === String(pid) ? 'main' : (kindOfName[name] ?? 'others')] += sum(fields.slice(11, 13)) / ticksPerSecond;
  }
  return seconds;
}

/** Seconds that all processors of this machine were busy so far. */
export function busySeconds(): number {
  const [first = ''] = readOrNothing('/proc/stat').split('\n');
  const [user, nice, system, , , interrupts, softInterrupts] = first.trim().split(/\s+/).slice(1);
  return sum([user, nice, system, interrupts, softInterrupts]) / ticksPerSecond;
}

/** Seconds of processor time of this process so far. */
export function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Description of this machine, without its name. */
export function describeMachine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores, ${memory} GB, ${process.platform} ${process.arch}, Node ${process.version}`;
}

/** The name of a process or thread, and its fields of `stat` from the state on; empty if it has ended. */
function readStat(folder: string): { readonly name: string; readonly fields: readonly string[] } {
  const stat = readOrNothing(`${folder}/stat`);
  // The name, in brackets, may contain blanks and brackets.
  const end = stat.lastIndexOf(')');
  return { name: stat.slice(stat.indexOf('(') + 1, end), fields: stat.slice(end + 2).split(' ') };
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}

function sum(values: readonly (string | number | undefined)[]): number {
  return values.reduce<number>((total, value) => total + Number(value ?? 0), 0);
}
