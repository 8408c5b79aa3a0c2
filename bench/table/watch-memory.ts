import type { ServerProcess } from '../../test/support/server-process.ts';

/** Watches the resident memory of a server. */
export interface MemoryWatch {
  /** Ends the watch. */
  readonly stop: () => void;
  /** The most of the first and of the second half of the time, in MB. */
  readonly peaks: () => readonly [first: number, second: number];
}

const intervalMs = 100;

/** Watches from now on. */
export function watchMemory(server: ServerProcess): MemoryWatch {
  const samples: number[] = [server.residentMemory()];
  const timer = setInterval(() => samples.push(server.residentMemory()), intervalMs);
  return {
    stop: () => {
      clearInterval(timer);
      samples.push(server.residentMemory());
    },
    peaks: () => {
      const half = Math.ceil(samples.length / 2);
      return [Math.max(...samples.slice(0, half)), Math.max(...samples.slice(half))];
    },
  };
}
