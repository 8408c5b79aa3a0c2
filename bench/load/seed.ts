import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Catalogue } from './catalogue.ts';
import type { LoadClient } from './client.ts';
import type { ProcessorTime } from './processor-time.ts';
import { get } from './requests.ts';
import type { RowResult } from './results.ts';
import { listDidPhases } from './seed-dids.ts';
import { listFilePhases } from './seed-files.ts';
import { listFleetPhases } from './seed-fleet.ts';
import type { SeedPhase, SeedStep } from './seed-steps.ts';
import { summarise } from './statistics.ts';

export interface SeedOptions {
  /** File that records what is done, so that an interrupted run can go on; absent: nothing is recorded. */
  readonly progressFile?: string;
  readonly processorTime?: ProcessorTime | undefined;
  /** Receives each phase that had something to do. */
  readonly report?: (row: RowResult) => void;
}

const parallelRequests = 4;
/** Steps between two records of the progress. */
const stepsPerRecord = 20;
const attempts = 5;
const retryDelayMs = 500;
/** Answers of a server whose first answer to the same step was lost. */
const alreadyThere = /AlreadyExists|Duplicate/;

/**
 * Makes the catalogue through the public interface. What an earlier run has made is left out.
 *
 * @returns The rates of the phases that had something to do.
 * @throws Error at the first step that fails.
 */
export async function seed(
  client: LoadClient,
  catalogue: Catalogue,
  { progressFile, processorTime, report = () => {} }: SeedOptions = {},
): Promise<RowResult[]> {
  await client.setConnections(parallelRequests);
  const progress = new Progress(progressFile);
  const [firstScope] = catalogue.scopes;
  // The data of a server may be gone although the record of it is still there.
  if (!progress.isEmpty && !(await hasScope(client, firstScope ?? ''))) progress.forget();
  const rows: RowResult[] = [];
  for (const phase of listPhases(client, catalogue)) {
    const steps = phase.steps.filter(({ key }) => !progress.has(key));
    if (steps.length === 0) continue;
    const row = await runPhase(client, { ...phase, steps }, progress, processorTime);
    progress.write();
    report(row);
    rows.push(row);
  }
  return rows;
}

/** All that makes the catalogue, in the order in which one phase needs the other. */
function listPhases({ account }: LoadClient, catalogue: Catalogue): SeedPhase[] {
  return [...listFleetPhases(catalogue, account), ...listDidPhases(catalogue), ...listFilePhases(catalogue)];
}

async function hasScope(client: LoadClient, scope: string): Promise<boolean> {
  const { text } = await client.call(get('/scopes/'), { keepText: true });
  return text.includes(`"${scope}"`);
}

async function runPhase(
  client: LoadClient,
  { name, steps, isSerial = false }: SeedPhase,
  progress: Progress,
  processorTime: ProcessorTime | undefined,
): Promise<RowResult> {
  const connections = isSerial ? 1 : parallelRequests;
  const latencies: number[] = [];
  let units = 0;
  const begun = performance.now();
  const cpuBefore = processorTime?.seconds() ?? 0;
  const left = steps.values();
  const work = async () => {
    for (const step of left) {
      const totalMs = await runStep(client, step);
      if (totalMs !== undefined) {
        latencies.push(totalMs);
        units += step.units;
      }
      progress.add(step.key);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - begun) / 1000;
  const cpuMs = processorTime === undefined ? undefined : (processorTime.seconds() - cpuBefore) * 1000;
  return {
    name: `seed ${name}`,
    connections,
    requests: latencies.length,
    errors: 0,
    seconds,
    rate: units / seconds,
    latencyMs: summarise(latencies),
    ...(cpuMs === undefined || latencies.length === 0 ? {} : { serverCpuMs: cpuMs / latencies.length }),
  };
}

/**
 * Carries out a step. Repeats it when the connection breaks or a gateway gives up.
 *
 * @returns The time it took in ms; undefined if the server had it already.
 */
async function runStep(client: LoadClient, step: SeedStep): Promise<number | undefined> {
  const request = step.request();
  for (let attempt = 1; ; attempt += 1) {
    const { status, headers, totalMs, fault } = await client.call(request);
    if (fault === undefined) return totalMs;
    if (status === 409 && alreadyThere.test(String(headers['exceptionclass']))) return undefined;
    if ((status !== 0 && status < 502) || attempt === attempts) {
      throw new Error(`${request.method} ${request.path.slice(0, 100)}: ${fault}`);
    }
    await sleep(retryDelayMs * attempt);
  }
}

/** The keys of the steps that are done, in a file. It is written in one go, so that parallel steps do not write at the same time. */
class Progress {
  readonly #file: string | undefined;
  readonly #done: Set<string>;
  #unrecorded = 0;

  constructor(file: string | undefined) {
    this.#file = file;
    const text = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : '[]';
    this.#done = new Set(JSON.parse(text) as string[]);
  }

  get isEmpty(): boolean {
    return this.#done.size === 0;
  }

  has(key: string): boolean {
    return this.#done.has(key);
  }

  forget(): void {
    this.#done.clear();
  }

  add(key: string): void {
    this.#done.add(key);
    this.#unrecorded += 1;
    if (this.#unrecorded >= stepsPerRecord) this.write();
  }

  write(): void {
    this.#unrecorded = 0;
    if (this.#file === undefined) return;
    mkdirSync(dirname(this.#file), { recursive: true });
    // A process that dies meanwhile leaves the last record as it was.
    writeFileSync(`${this.#file}.new`, JSON.stringify([...this.#done]));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
