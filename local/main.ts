import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { dataFile } from './data-folder.ts';
import { describeServer, readSettings, type Settings } from './options.ts';
import { startServer, type LocalServer } from './server.ts';
import { onStop } from './stop-signals.ts';

// Caches compiled code between starts: ready in 0.5 s instead of 0.8 s.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

async function main(): Promise<void> {
  const settings = readSettings();
  if (settings === undefined) return console.log(describeServer());
  let server: LocalServer | undefined;
  onStop((reason) => {
    console.log(`${reason}: stopping`);
    (server?.close() ?? Promise.resolve()).then(() => process.exit(0), fail);
  });

  const username = process.env['ROOT_USERNAME'] || 'ddmlab';
  const givenPassword = process.env['ROOT_PASSWORD'] || undefined;
  if (settings.host !== undefined && givenPassword === undefined) requireOldCatalogue(settings);
  server = await startServer({
    ...settings,
    endpoint: process.env['DYNAMODB_ENDPOINT'] || undefined,
    tableName: process.env['TABLE_NAME'] || undefined,
    root: { username, password: givenPassword ?? 'secret' },
    // Only the documented password is filled in: other users of this machine can also reach the port.
    login: { account: 'root', username, password: givenPassword === undefined ? 'secret' : null },
    say: console.log,
  });

  const password = givenPassword === undefined ? 'secret' : '$ROOT_PASSWORD';
  console.log(`
${settings.browser ? `Open ${server.url} in a browser. ` : ''}Account root, user ${username}, password ${givenPassword === undefined ? password : 'from ROOT_PASSWORD'}. For a token:
  curl -i -H 'X-Rucio-Account: root' -H 'X-Rucio-Username: ${username}' -H "X-Rucio-Password: ${password}" ${server.url}/auth/userpass
`);
  if (server.dynamodbUrl !== undefined) console.log(`DynamoDB endpoint ${server.dynamodbUrl}`);
  console.log(`ready ${server.url} (${(performance.now() / 1000).toFixed(1)} s)`);
}

/**
 * Makes no catalogue with the documented password for other machines; whether one that is there has it is seen when it is open.
 *
 * @throws Error with the remedy.
 */
function requireOldCatalogue({ inMemory, dataDir }: Settings): void {
  if (!inMemory && existsSync(join(dataDir, dataFile))) return;
  throw new Error('Set ROOT_PASSWORD: --host serves other machines, and everybody knows the documented password.');
}

/** Errors of the environment contain their remedy; a stack trace would hide it. */
function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

main().catch(fail);
