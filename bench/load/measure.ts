import { setTimeout as sleep } from 'node:timers/promises';

import type { Answer, LoadClient } from './client.ts';
import { busySeconds, ownSeconds, type ProcessorTime } from './processor-time.ts';
import { get, type Requests } from './requests.ts';
import type { RowResult } from './results.ts';
import type { NextRequest, Row } from './row.ts';
import { summarise } from './statistics.ts';

export interface MeasureOptions {
  readonly client: LoadClient;
  readonly requests: Requests;
  readonly processorTime: ProcessorTime | undefined;
  /** Length of a measurement, and of that of a mixed load. */
  readonly seconds: number;
  readonly mixedSeconds: number;
  /** Called when all is ready, and when the last answer is there. */
  readonly begin?: () => Promise<void>;
  readonly end?: () => Promise<void>;
}

const warmUpMs = 1_500;
const warmUpRequests = 3;
/** Time for the least number of requests of a row. */
const budgetSeconds = 90;
const minRequestsAlone = 3;
const memoryIntervalMs = 1_000;
const maxFaults = 5;
const idleIntervalMs = 1_000;
/** Share of a processor that an idle server may use. */
const maxIdleShare = 0.1;

/**
 * Measures a row in a closed loop: each connection sends its next request when it has the whole answer to the last one.
 *
 * @throws Error if the row cannot be prepared.
 */
export async function measureRow(row: Row, connections: number, options: MeasureOptions): Promise<RowResult> {
  const { client, requests, processorTime } = options;
  requests.restart(`${row.name} ${connections}`);
  await client.setConnections(connections);
  const { prepare, next = () => undefined } = row;
  const take = prepare === undefined ? () => next(requests) : await prepare({ client, requests, connections });
  const seconds = row.isMixed === true ? options.mixedSeconds : options.seconds;
  await warmUp(client, prepare === undefined ? take : () => get('/ping'), connections, seconds);
  const tally = new Tally();
  const minRequests = row.minRequests ?? (connections === 1 ? minRequestsAlone : 1);
  await options.begin?.();
  const usage = new UsageMeter(processorTime);
  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) / 1000;
  const isTime = () => elapsed() < seconds || (tally.requests < minRequests && elapsed() < budgetSeconds);
  const work = async (connection: number) => {
    while (isTime()) {
      const request = take(connection);
      if (request === undefined) return;
      tally.add(await client.call(request), request.part);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => work(connection)));
  const result = tally.result(elapsed(), row.units);
  const used = usage.stop(tally.requests);
  await options.end?.();
  return { name: row.name, connections, ...result, ...used };
}

/** Opens the connections, and lets the server fill its caches; not for longer than the measurement. */
async function warmUp(client: LoadClient, take: NextRequest, connections: number, seconds: number): Promise<void> {
  const end = performance.now() + Math.min(warmUpMs, seconds * 1000);
  const work = async (connection: number) => {
    for (let sent = 0; sent < warmUpRequests && performance.now() < end; sent += 1) {
      const request = take(connection);
      if (request !== undefined) await client.call(request);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => work(connection)));
}

/** Waits until others keep fewer than `limit` processors busy, for some seconds at most. */
export async function waitForQuiet(
  processorTime: ProcessorTime | undefined,
  limit: number,
  maxSeconds: number,
): Promise<void> {
  for (const end = performance.now() + maxSeconds * 1000; performance.now() < end;) {
    const usage = new UsageMeter(processorTime);
    await sleep(memoryIntervalMs);
    if ((usage.stop(0).otherCpus ?? 0) <= limit) return;
  }
}

/** Waits until a server has nothing left to do, such as what follows from seeding; for some seconds at most. */
export async function waitUntilIdle(processorTime: ProcessorTime | undefined, maxSeconds: number): Promise<void> {
  if (processorTime === undefined) return;
  for (const end = performance.now() + maxSeconds * 1000; performance.now() < end;) {
    const before = processorTime.seconds();
    await sleep(idleIntervalMs);
    if ((processorTime.seconds() - before) * 1000 < maxIdleShare * idleIntervalMs) return;
  }
}

/** Adds up the answers to the requests of a row. Only right ones count for the rate and for times. */
class Tally {
  requests = 0;
  #rows = 0;
  #errors = 0;
  readonly #latencies: number[] = [];
  readonly #firstBytes: number[] = [];
  readonly #faults = new Set<string>();
  readonly #parts = new Map<string, number[]>();

  add({ fault, totalMs, firstByteMs, rows }: Answer, part: string | undefined): void {
    this.requests += 1;
    if (fault !== undefined) {
      this.#errors += 1;
      if (this.#faults.size < maxFaults) this.#faults.add(fault);
      return;
    }
    this.#latencies.push(totalMs);
    this.#firstBytes.push(firstByteMs);
    this.#rows += rows;
    if (part === undefined) return;
    const latencies = this.#parts.get(part) ?? [];
    this.#parts.set(part, latencies);
    latencies.push(totalMs);
  }

  result(seconds: number, units: number | undefined) {
    const right = this.#latencies.length;
    const parts = [...this.#parts].map(([part, latencies]) => [part, summarise(latencies)] as const);
    return {
      requests: this.requests,
      errors: this.#errors,
      ...(this.#faults.size === 0 ? {} : { faults: [...this.#faults] }),
      seconds,
      rate: right / seconds,
      latencyMs: summarise(this.#latencies),
      firstByteMs: summarise(this.#firstBytes),
      rowsPerSecond: (units === undefined ? this.#rows : right * units) / seconds,
      ...(parts.length === 0 ? {} : { parts: Object.fromEntries(parts) }),
    };
  }
}

/** Measures what server, load generator and others use of the machine. */
class UsageMeter {
  readonly #processorTime: ProcessorTime | undefined;
  readonly #begun = performance.now();
  readonly #server: number;
  readonly #own = ownSeconds();
  readonly #busy = busySeconds();
  readonly #timer: NodeJS.Timeout | undefined;
  #memoryMb = 0;

  constructor(processorTime: ProcessorTime | undefined) {
    this.#processorTime = processorTime;
    this.#server = processorTime?.seconds() ?? 0;
    if (processorTime === undefined) return;
    this.#memoryMb = processorTime.memoryMb();
    this.#timer = setInterval(() => {
      this.#memoryMb = Math.max(this.#memoryMb, processorTime.memoryMb());
    }, memoryIntervalMs);
  }

  /** Ends the measurement. */
  stop(requests: number): Pick<RowResult, 'serverCpuMs' | 'ownCpus' | 'otherCpus' | 'memoryMb'> {
    clearInterval(this.#timer);
    const seconds = (performance.now() - this.#begun) / 1000;
    const own = ownSeconds() - this.#own;
    if (this.#processorTime === undefined) return { ownCpus: own / seconds };
    const server = this.#processorTime.seconds() - this.#server;
    const others = Math.max(0, busySeconds() - this.#busy - server - own);
    return {
      ...(requests === 0 ? {} : { serverCpuMs: (server * 1000) / requests }),
      ownCpus: own / seconds,
      otherCpus: others / seconds,
      memoryMb: this.#memoryMb,
    };
  }
}
