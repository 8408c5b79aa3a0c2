import { parseArgs } from 'node:util';

import { maxLanes } from '../../lib/store/entities/event.ts';
import { writeMarkedPart } from '../../test/support/marked-part.ts';
import { totalOf } from '../table/prices/operation-price.ts';
import { secondsPerMonth } from '../table/prices/price-list.ts';
import { recordTraces, type Recording } from './record-traces.ts';
import { type Quotas, Simulation, type Step } from './simulation.ts';
import type { Mix } from './workload.ts';

/*
 * Parts that saturate as load grows to 10,000 writes and 100,000 reads a second: the real requests of real handlers, recorded on the
 * embedded engine, are replayed in virtual time under DynamoDB's limits (limits.ts). docs/operations/load.md says how far it is
 * faithful; `--write` puts the tables there.
 */

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '80' }, write: { type: 'boolean', default: false } },
});

const page = 'docs/operations/load.md';
const mixes: Readonly<Record<string, Mix>> = {
  'many scopes': { scopes: 8, rses: 40, accounts: 8, ascending: false },
  'one scope': { scopes: 1, rses: 4, accounts: 1, ascending: true },
};

/** Ways around the limit of one scope. */
const remedies: Readonly<Record<string, Mix>> = {
  'one scope, names that ascend': { scopes: 1, rses: 40, accounts: 8, ascending: true },
  'one scope, names at random': { scopes: 1, rses: 40, accounts: 8, ascending: false },
  'eight scopes, names that ascend': { scopes: 8, rses: 40, accounts: 8, ascending: true },
};
const steps = [64, 32, 16, 8, 4, 2, 1].map((part) => ({ reads: 100_000 / part, writes: 10_000 / part }));

/** Quotas of a new account in most regions. */
const newAccount: Quotas = { gateway: 10_000, functions: 1_000 };

/** Transactions that one item takes a second, one after the other: each reads and writes, some 20 ms. */
const appendsPerLane = 50;

const parts: Record<string, string> = {};
for (const [name, mix] of Object.entries(mixes)) {
  const recording = await recordTraces(mix, Number(values.runs));
  const results = run(recording, {});
  parts[name] = `${renderSteps(results)}\n\n${describeFleet(recording)}`;
  if (name !== 'many scopes') continue;
  parts['quotas'] = renderQuotas(results);
  parts['not raised'] = renderSteps(run(recording, newAccount));
}
parts['remedies'] = renderTable(
  ['Files', 'Writes a second', 'served at once, after half an hour', 'Hottest place', 'Load'],
  await Array.fromAsync(Object.entries(remedies), async ([name, mix]) => {
    const last = run(await recordTraces(mix, Number(values.runs)), {}).at(-1);
    if (last === undefined) throw new Error('there are no steps');
    const { writes, first, later, hottest } = last;
    const served = `${count(first.writes)}, ${count(later.writes)}`;
    return [name, count(writes), served, `\`${hottest.name}\``, percent(hottest.load)];
  }),
);
for (const [name, text] of Object.entries(parts)) {
  console.log(`\n## ${name}\n\n${text}`);
  if (values.write) await writeMarkedPart(page, `npm run docs -- load: ${name}`, text);
}

function run(recording: Recording, quotas: Quotas): Step[] {
  const simulation = new Simulation(recording, quotas);
  return steps.map(({ reads, writes }) => simulation.step(reads, writes));
}

function renderSteps(results: readonly Step[]): string {
  const served = 'served at once, after half an hour';
  const header = ['Reads a second', served, 'Writes a second', served, 'Background', 'Starts', 'Hottest place', 'Load'];
  const rows = results.map(({ reads, writes, first, later, hottest }) => [
    count(reads),
    `${count(first.reads)}, ${count(later.reads)}`,
    count(writes),
    `${count(first.writes)}, ${count(later.writes)}`,
    percent(later.background),
    percent(first.starts),
    `\`${hottest.name}\``,
    percent(hottest.load),
  ]);
  return renderTable(header, rows);
}

function renderQuotas(results: readonly Step[]): string {
  const header = ['Reads, writes a second', 'Gateway', 'Functions', 'Read units', 'Write units', 'USD a month'];
  const rows = results.map(({ reads, writes, units, functions, price }) => [
    `${count(reads)}, ${count(writes)}`,
    mark(reads + writes, newAccount.gateway),
    mark(functions, newAccount.functions),
    mark(units.rru, 40_000),
    mark(units.wru, 40_000),
    count(totalOf(price) * secondsPerMonth),
  ]);
  return renderTable(header, rows);
}

/** A number, marked where it is above a quota. */
function mark(number: number, quota = Number.POSITIVE_INFINITY): string {
  return number > quota ? `**${count(number)}**` : count(number);
}

/** Reads of the fleet by instances, and appends to the log of events. */
function describeFleet({ start, afterChange }: Recording): string {
  const units = ({ touches }: Recording['start']) =>
    touches
      .filter(({ pk }) => pk.startsWith('RSES') || pk.startsWith('FLEETPACK'))
      .reduce((sum, { rru }) => sum + rru, 0);
  return (
    `Of a thousand RSEs a process that starts reads ${units(start)} units, one after a change of an RSE ` +
    `${units(afterChange)}. The log of events takes ${count(maxLanes * appendsPerLane)} appends a second.`
  );
}

function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '--:'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en');
}

function percent(part: number): string {
  return `${Math.round(part * 100)}%`;
}
