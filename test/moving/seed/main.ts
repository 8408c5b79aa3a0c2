/**
 * Seeds a Rucio with PostgreSQL for trials of the import and of the comparison: `node test/moving/seed/main.ts --help`.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { openSession } from '../../../moving/compare/session.ts';
import { seedCatalogue } from './catalogue.ts';

const help = `node test/moving/seed/main.ts [options]      seeds a Rucio 41 with PostgreSQL

  --url <url>       the Rucio (default: http://127.0.0.1:8873)
  --database <uri>  its database (default: postgresql://postgres@127.0.0.1:5873/rucio)
  --files <number>  files of the mass, rounded up to thousands (default: 100000); 0: none
  --first <number>  the number before the first file of the mass (default: 0)
  --prefix <text>   the scopes of the mass are <prefix>.2018 to <prefix>.2024 (default: mv)
  --folder <path>   also makes the RSE MV-FOLDER with the protocol file:// on this folder, for uploads and downloads
  --mass-only       only the mass: accounts and RSEs are there
  --requests-only   only what the interface can set, without the database; for any Rucio or Dapple
  --help            this text

Environment: SEED_USERNAME and SEED_PASSWORD log in as root (ddmlab, secret); PSQL is the client of PostgreSQL (psql).`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:8873' },
      database: { type: 'string', default: 'postgresql://postgres@127.0.0.1:5873/rucio' },
      files: { type: 'string', default: '100000' },
      first: { type: 'string', default: '0' },
      prefix: { type: 'string', default: 'mv' },
      folder: { type: 'string' },
      'mass-only': { type: 'boolean', default: false },
      'requests-only': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  if (!values['mass-only']) {
    const username = process.env['SEED_USERNAME'] ?? 'ddmlab';
    const password = process.env['SEED_PASSWORD'] ?? 'secret';
    const session = openSession({ url: values.url, credentials: { username, password, account: 'root' } });
    const { sent, refused } = await seedCatalogue(session, values.folder);
    console.log(`${sent} requests, ${refused.length} refused`);
    for (const line of refused) console.error(line);
    if (refused.length > 0) process.exitCode = 1;
    if (values['requests-only']) return;
    runSql(values.database, 'states.sql', {});
  }
  const files = Math.ceil(Number(values.files) / 1000) * 1000;
  if (files === 0) return;
  const begun = performance.now();
  runSql(values.database, 'mass.sql', { files: String(files), first: values.first, prefix: values.prefix });
  console.log(`${files} files in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

/** Runs a script beside this file with psql. @throws Error if it fails. */
function runSql(database: string, script: string, variables: Readonly<Record<string, string>>): void {
  const settings = Object.entries(variables).flatMap(([name, value]) => ['-v', `${name}=${value}`]);
  const file = join(import.meta.dirname, script);
  const { status, error } = spawnSync(process.env['PSQL'] ?? 'psql', ['-q', ...settings, '-f', file, database], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`${script} failed${error === undefined ? '' : `: ${error.message}`}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
