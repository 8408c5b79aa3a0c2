import { parseArgs } from 'node:util';

import { templateOf } from '../../test/infra/template.ts';
import { writeMarkedPart } from '../../test/support/marked-part.ts';
import { measureAll, type Measurement } from './measure.ts';
import { listCostsBeside } from './prices/beside.ts';
import { listIdleCosts } from './prices/idle-price.ts';
import { billedMs, type Price, priceOf, totalOf, type Use } from './prices/operation-price.ts';
import { perMonth } from './prices/price-list.ts';
import { typicalMonth } from './prices/typical-month.ts';

/*
 * Costs of a deployment: each operation a million times, a typical month, and a month without any request. From the units,
 * waves and processor time that bench:access measures, and AWS's list prices. `--write` puts it into docs/costs.md.
 */

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

const million = 1_000_000;
/** Items of a catalogue of a million files with two copies each, in GB: some 1.2 KB a file with its attachment. */
const gigabytesPerMillionFiles = 1.2;

const measurements = await measureAll(1_000, 20, (line) => console.error(line));
const uses = new Map(measurements.map((measurement) => [measurement.bench.what, useOf(measurement)]));
const parts = {
  'npm run docs -- prices: operations': renderOperations(),
  'npm run docs -- prices: month': renderMonth(),
  'npm run docs -- prices: idle': renderIdle(),
  'npm run docs -- prices: beside': renderBeside(),
};
for (const [mark, text] of Object.entries(parts)) {
  console.log(`\n${text}`);
  if (values.write) await writeMarkedPart('docs/costs.md', mark, text);
}

function useOf({ figures: { rru, wru }, waves, cpu }: Measurement): Use {
  return { rru, wru, waves, cpuMs: cpu };
}

function renderOperations(): string {
  const rows = [...uses].map(([what, use]) => {
    const price = priceOf(use);
    return [what, String(billedMs(use))].concat(cellsOf(times(price, million)));
  });
  return renderTable(['Operation', 'Billed ms', 'Table', 'Lambda', 'Gateway', 'USD a million'], rows);
}

function renderMonth(): string {
  const lines = typicalMonth.map(({ what, operation, requests }) => {
    const use = uses.get(operation);
    if (use === undefined) throw new Error(`bench:access has no operation '${operation}'`);
    return { what, requests, price: times(priceOf(use), requests) };
  });
  const total = lines.reduce((sum, { price }) => sum + totalOf(price), 0);
  const rows = lines.map(({ what, requests, price }) => {
    const share = `${((totalOf(price) / total) * 100).toFixed(0)}%`;
    return [what, requests.toLocaleString('en')].concat(cellsOf(price), share);
  });
  const top = lines.toSorted((a, b) => totalOf(b.price) - totalOf(a.price)).slice(0, 3);
  const named = top.map(({ what, price }) => `${what} (${dollars(totalOf(price))})`).join('; ');
  const table = renderTable(['What', 'Requests', 'Table', 'Lambda', 'Gateway', 'USD', 'Share'], rows);
  return `${table}\n\nTogether **${dollars(total)} USD** a month. The three largest: ${named}.`;
}

function renderIdle(): string {
  const resources = Object.values(templateOf().toJSON()['Resources'] as Record<string, { Type: string }>);
  const lines = listIdleCosts(resources);
  const total = lines.reduce((sum, { price }) => sum + price, 0);
  const rows = lines.map(({ what, count, price }) => [what, count.toLocaleString('en'), dollars(price)]);
  const stored = gigabytesPerMillionFiles * (perMonth.storage + perMonth.backup);
  return (
    `${renderTable(['What', 'Number', 'USD a month'], rows)}\n\nTogether **${dollars(total)} USD** a month. ` +
    `What is stored: ${dollars(stored)} USD a month for each million files, backups included.`
  );
}

function renderBeside(): string {
  const rows = listCostsBeside().map(({ what, unit, price }) => [what, unit, dollars(price)]);
  return renderTable(['What', 'For', 'USD'], rows);
}

function cellsOf(price: Price): string[] {
  return [price.table, price.lambda, price.gateway, totalOf(price)].map(dollars);
}

function times({ table, lambda, gateway }: Price, count: number): Price {
  return { table: table * count, lambda: lambda * count, gateway: gateway * count };
}

function dollars(usd: number): string {
  return usd >= 100 ? usd.toFixed(0) : usd.toFixed(2);
}

function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, ['---', ...header.slice(1).map(() => '--:')], ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}
