import { randomBytes } from 'node:crypto';

import { type ClientOptions, type Endpoint, openEndpoint } from './endpoint.ts';
import { exchange, type Engines } from './exchange.ts';
import { reconcile, reconcileEmptyItems } from './reconcile.ts';
import { Report } from './report.ts';
import type { Touched } from './request.ts';
import { generateRequests } from './requests.ts';
import { compareStreams } from './stream-records.ts';
import { createTableBody, tables } from './tables.ts';

/** Which engines are compared, and how long. */
export interface Comparison {
  /** The engine that is judged. */
  readonly left: ClientOptions;
  /** The engine that it is held against. */
  readonly right: ClientOptions;
  readonly seed: number;
  readonly requests: number;
  readonly say: (line: string) => void;
}

/** Requests after which the progress is told. */
const progressEvery = 5_000;

/**
 * Sends the same random requests to two engines and compares their answers, then the records of their streams.
 *
 * Tables named `Judged...` are deleted before and created anew.
 *
 * @returns the report, already printed.
 * @throws Error when an engine cannot be reached or answers no JSON.
 */
export async function compareEngines({ left, right, seed, requests, say }: Comparison): Promise<Report> {
  const engines: Engines = { left: openEndpoint(left), right: openEndpoint(right) };
  try {
    await Promise.all([createTables(engines.left), createTables(engines.right)]);
    say(`Comparing ${requests} requests, seed ${seed}`);
    const report = new Report();
    const reconciled: Touched[] = [];
    const generated = generateRequests(seed, randomBytes(8).toString('hex'));
    for (let at = 0; at < requests; at += 1) {
      const request = generated.next().value;
      const outcome = await exchange(engines, request);
      const unknown = report.add(at, request, outcome);
      const mayDiffer = unknown.length > 0 || outcome.differences.some(({ path }) => path === 'outcome');
      if (mayDiffer) reconciled.push(...(await reconcile(engines, request.touches)));
      else if (outcome.right.error === undefined) reconciled.push(...(await reconcileEmptyItems(engines, request)));
      if ((at + 1) % progressEvery === 0) say(`${at + 1} requests, ${report.findings.length} kinds of difference`);
    }
    for (const { name } of tables.filter(({ stream }) => stream)) {
      report.addStreams(await compareStreams(engines, name, reconciled, (difference) => report.isKnown(difference)));
    }
    report.print(say);
    return report;
  } finally {
    engines.left.close();
    engines.right.close();
  }
}

async function createTables(endpoint: Endpoint): Promise<void> {
  for (const table of tables) {
    await endpoint.send('DeleteTable', { TableName: table.name });
    const { status, body } = await endpoint.send('CreateTable', createTableBody(table));
    if (status !== 200) throw new Error(`the table ${table.name} was not created: ${JSON.stringify(body)}`);
  }
}
