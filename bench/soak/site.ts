/** The server of a soak: its folders, its lives, and how it is asked. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { freePort } from '../../local/engine/judge/free-port.ts';
import { type ServerProcess, startServerProcess } from '../../test/support/server-process.ts';

/** The program of another release: the arguments of node before those of the server. */
export type Release = readonly string[] | undefined;

export class Site {
  readonly folder: string;
  readonly port: number;
  readonly metricsPort: number;
  lives = 0;
  /** Processor time of the lives before, in seconds. */
  #processorTime = 0;
  readonly said: string[] = [];
  #server: ServerProcess | undefined;
  readonly #more: readonly string[];
  #release: Release;

  private constructor(
    folder: string,
    [port, metricsPort]: readonly [number, number],
    release: Release,
    more: readonly string[],
  ) {
    this.metricsPort = metricsPort;
    this.folder = folder;
    this.port = port;
    this.#release = release;
    this.#more = more;
  }

  /** Starts the first life, with more options perhaps. */
  static async open(folder: string, release: Release, more: readonly string[] = []): Promise<Site> {
    const site = new Site(folder, [await freePort(), await freePort()], release, more);
    await site.start();
    return site;
  }

  get url(): string {
    return `http://localhost:${this.port}`;
  }

  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  get data(): string {
    return join(this.folder, 'data');
  }

  get database(): string {
    return join(this.data, 'dapple.sqlite');
  }

  /** Seconds from the latest start to ready. */
  get startTime(): number {
    return this.#server?.startTime ?? 0;
  }

  get jobsDone(): number {
    return this.lines.filter((line) => /^job .*: done after /.test(line)).length;
  }

  storage(rse = ''): string {
    return join(this.folder, 'storage', rse);
  }

  async start(): Promise<void> {
    this.lives += 1;
    const jobs = [
      `every ${backupMinutes}m backup --to ${join(this.folder, 'backups')} --keep 2`,
      `every ${reportMinutes}m report --to ${join(this.folder, 'reports')}`,
    ];
    const places = ['--data', this.data, '--port', String(this.port), '--storage', this.storage()];
    const args = [...places, '--metrics-port', String(this.metricsPort), '--reaper', '--no-browser', ...this.#more];
    for (const job of jobs) args.push('--job', job);
    this.#server = await startServerProcess(args, { LOG_LEVEL: 'ERROR' }, this.#release);
  }

  /** Ends the present life, by SIGTERM or by a kill, and begins the next one. */
  async restart(how: 'stop' | 'kill'): Promise<void> {
    await this.close(how);
    await this.start();
  }

  /**
   * Stops the server, and starts the one of this source on its data.
   *
   * @throws Error if another program runs then.
   */
  async upgrade(): Promise<void> {
    this.#release = undefined;
    await this.restart('stop');
    const [, ...args] = readFileSync(`/proc/${this.pid}/cmdline`, 'utf8').split('\0');
    if (!args.includes('local/main.ts')) throw new Error(`after the upgrade runs ${args[0]}`);
  }

  async close(how: 'stop' | 'kill' = 'stop'): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#processorTime = this.processorTime();
    await (how === 'kill' ? server.kill() : server.terminate());
    this.said.push(...server.said);
    this.#server = undefined;
  }

  /** The lines of the present life and of those before. */
  get lines(): readonly string[] {
    return [...this.said, ...(this.#server?.said ?? [])];
  }

  /** Seconds of the processor that all lives have used. */
  processorTime(): number {
    if (this.#server === undefined) return this.#processorTime;
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return this.#processorTime + (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  }

  /** Resident memory and heap in MB, descriptors, and changes and rules that wait. */
  async measure(): Promise<Measured> {
    const pages = Number(readFileSync(`/proc/${this.pid}/statm`, 'utf8').split(' ')[1]);
    const descriptors = readdirSync(`/proc/${this.pid}/fd`).length;
    const metrics = await (await fetch(`http://localhost:${this.metricsPort}/metrics`)).text();
    return {
      memory: (pages * pageBytes) / megabyte,
      heap: sumOf(metrics, /^nodejs_heap_size_used_bytes ([\d.e+]+)/gm) / megabyte,
      descriptors,
      behind: sumOf(metrics, /^dapple_stream_lag_records\{.*\} ([\d.e+]+)/gm),
      waiting: sumOf(metrics, /^dapple_rules\{state="(?:REPLICATING|STUCK|INJECT)"\} ([\d.e+]+)/gm),
    };
  }
}

/** State of the server process. */
export interface Measured {
  readonly memory: number;
  readonly heap: number;
  readonly descriptors: number;
  readonly behind: number;
  readonly waiting: number;
}

function sumOf(metrics: string, pattern: RegExp): number {
  return [...metrics.matchAll(pattern)].reduce((sum, [, value]) => sum + Number(value), 0);
}

const [backupMinutes, reportMinutes] = [10, 15];
const ticksPerSecond = 100;
const pageBytes = 4_096;
const megabyte = 1_000_000;

/** Bytes of all files below a folder. */
export function sizeOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}
