import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { text, texts, type Values } from '../local/option.ts';
import { runProgram } from '../local/programs.ts';
import { dataOption, helpOption } from '../local/shared-options.ts';
import { withCopy } from './export/export-data.ts';
import { printCsv } from './report/csv.ts';
import { columns, isColumn, sumUsage, usageOf } from './report/usage.ts';

const options = {
  by: texts('--by <column>', {
    default: columns.join(', '),
    help: 'sums by this column; may be repeated',
    read: (given) => (given ?? columns).map(readColumn),
  }),
  to: text('--to <folder>', {
    help: 'writes a file with the day in its name there, and not to the standard output',
    read: (given) => given,
  }),
  data: dataOption('the data of a local server, which may run meanwhile'),
  groupAttribute: text('--group-attribute <key>', {
    default: 'group',
    help: 'the attribute of accounts that names their group',
    read: (given = 'group') => given,
  }),
  help: helpOption,
};

function readColumn(given: string) {
  if (isColumn(given)) return given;
  throw new Error(`\`--by\` is one of ${columns.join(', ')}.`);
}

async function main({ by, to, data, groupAttribute }: Values<typeof options>): Promise<void> {
  const usage = await withCopy(data, ({ store }) => usageOf(store, groupAttribute));
  const csv = printCsv([[...by, 'files', 'bytes', 'limit_bytes'], ...sumUsage(usage, by)]);
  if (to === undefined) {
    process.stdout.write(csv);
    return;
  }
  await mkdir(to, { recursive: true, mode: 0o700 });
  const file = join(to, `usage-${new Date().toISOString().slice(0, 10)}.csv`);
  await writeFile(file, csv, { mode: 0o600 });
  console.log(file);
}

await runProgram({
  usage: 'npm run dapple -- report [options]',
  summary: 'what accounts and groups use on which RSE, as CSV',
  options,
  notes: [
    '`files` and `bytes` are those that the rules of an account lock; a file with two copies counts twice. `limit_bytes` is the sum of the ' +
      'limits on single RSEs: empty where there is none, -1 where one of them is without bound.',
  ],
  run: main,
});
