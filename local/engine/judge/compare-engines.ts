import { randomBytes } from 'node:crypto';

import { type ClientOptions, type Endpoint, openEndpoint } from './endpoint.ts';
import { type Engines, type Exchange, exchange } from './exchange.ts';
import type { Outcome } from './known-difference.ts';
import { explain } from './known-differences.ts';
import type { NormalAnswer } from './normalise.ts';
import { Report } from './report.ts';
import type { JudgedRequest, Touched } from './request.ts';
import { generateRequests } from './requests.ts';
import { differs, listDifferences, settle } from './settle.ts';
import { State } from './state.ts';
import { compareStreams } from './stream-records.ts';
import { createTableBody, tables } from './tables.ts';
import { unorderTies } from './ties.ts';
import { trialTables, tryParts } from './trials.ts';

/** The engines to compare, and for how long. */
export interface Comparison {
  /** The engine under test. */
  readonly left: ClientOptions;
  /** The reference engine. */
  readonly right: ClientOptions;
  readonly seed: number;
  readonly requests: number;
  readonly say: (line: string) => void;
}

/** Requests between two progress messages. */
const progressEvery = 5_000;

/**
 * Sends the same random requests to two engines and compares their answers, then their stream records.
 *
 * Tables named `Judged...` are deleted and created again.
 *
 * @returns the report, already printed.
 * @throws Error if an engine cannot be reached or does not answer JSON.
 */
export async function compareEngines({ left, right, seed, requests, say }: Comparison): Promise<Report> {
  const engines: Engines = { left: openEndpoint(left), right: openEndpoint(right) };
  try {
    await Promise.all([createTables(engines.left), createTables(engines.right)]);
    say(`Comparing ${requests} requests, seed ${seed}`);
    const report = new Report();
    const reconciled: Touched[] = [];
    const state = new State();
    const mixedTokens = new Set<unknown>();
    const generated = generateRequests(seed, randomBytes(8).toString('hex'));
    for (let at = 0; at < requests; at += 1) {
      const request = withoutMixedToken(generated.next().value, mixedTokens);
      const outcome = await carryOut(engines, state, request);
      report.add(at, request, outcome);
      reconciled.push(...outcome.effects.filter(differs));
      if (endedDifferently(outcome)) mixedTokens.add(request.body['ClientRequestToken']);
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

/** Sends a request to both engines and compares their answers, then its effect on the items that it names. */
async function carryOut(engines: Engines, state: State, request: JudgedRequest): Promise<Outcome> {
  const answered = await exchange(engines, unorderTies(request, state));
  const effects = await settle(engines, state, request, answered);
  // If only one engine refuses a request, its effects are expected to differ.
  const ofItems = endedDifferently(answered) ? [] : listDifferences(effects);
  const outcome = { ...answered, differences: [...answered.differences, ...ofItems], effects, state, trials: [] };
  const isClear = isAccepted(answered.left) || isAccepted(answered.right) || isExplained(request, outcome);
  return isClear ? outcome : { ...outcome, trials: await tryParts(engines, request) };
}

const isAccepted = ({ error }: NormalAnswer) => error === undefined;

const isExplained = (request: JudgedRequest, outcome: Outcome) =>
  outcome.differences.every((difference) => explain({ ...difference, request, exchange: outcome }) !== undefined);

const endedDifferently = ({ differences }: Exchange) => differences.some(({ path }) => path === 'outcome');

/** The request without its token, if the transaction was committed in one engine only. */
function withoutMixedToken(request: JudgedRequest, mixed: ReadonlySet<unknown>): JudgedRequest {
  const { ClientRequestToken: token, ...body } = request.body;
  return token !== undefined && mixed.has(token) ? { ...request, body } : request;
}

async function createTables(endpoint: Endpoint): Promise<void> {
  for (const table of [...tables, ...trialTables]) {
    await endpoint.send('DeleteTable', { TableName: table.name });
    const { status, body } = await endpoint.send('CreateTable', createTableBody(table));
    if (status !== 200) throw new Error(`the table ${table.name} was not created: ${JSON.stringify(body)}`);
  }
}
