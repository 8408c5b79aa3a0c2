import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { reportOptions as options } from '../local/jobs/commands/report-options.ts';
import type { Values } from '../local/option.ts';
import { runProgram } from '../local/programs.ts';
import { withCopy } from './export/export-data.ts';
import { printCsv } from './report/csv.ts';
import { sumUsage, usageOf } from './report/usage.ts';

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
