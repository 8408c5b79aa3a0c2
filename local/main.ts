import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

import { firstPassword } from './first-password.ts';
import { describeServer, readSettings } from './options.ts';
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
  const { password, origin } = firstPassword(settings);
  let isMade = false;
  server = await startServer({
    ...settings,
    endpoint: process.env['DYNAMODB_ENDPOINT'] || undefined,
    tableName: process.env['TABLE_NAME'] || undefined,
    root: { username, password, onMade: () => (isMade = origin === 'made') },
    // Only the documented password is filled in: other users of this machine can also reach the port.
    login: { account: 'root', username, password: origin === 'documented' ? password : null },
    say: console.log,
  });

  if (isMade) {
    console.log(`\nThe password of root was made, and is told this once: ${password}\nAnother one: npm run passwd`);
  }
  const [told, typed] = {
    documented: [password, password],
    given: ['as it was given', '$ROOT_PASSWORD'],
    made: [isMade ? 'as above' : 'as before', '<password>'],
  }[origin];
  console.log(`
${settings.browser ? `Open ${server.url} in a browser. ` : ''}Account root, user ${username}, password ${told}. For a token:
  curl -i -H 'X-Rucio-Account: root' -H 'X-Rucio-Username: ${username}' -H "X-Rucio-Password: ${typed}" ${server.url}/auth/userpass
`);
  if (server.dynamodbUrl !== undefined) console.log(`DynamoDB endpoint ${server.dynamodbUrl}`);
  console.log(`ready ${server.url} (${(performance.now() / 1000).toFixed(1)} s)`);
}

/** Errors of the environment contain their remedy; a stack trace would hide it. */
function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

main().catch(fail);
