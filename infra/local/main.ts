import { parseArgs } from 'node:util';

import { startServer, type LocalServer } from './server.ts';
import { onStop } from './stop-signals.ts';

const help = `npm start -- [options]      runs Dapple on this machine

  --port <number>   port of the interface on localhost (default: PORT, or 8080)
  --data <folder>   keeps the catalogue there between starts (default: .data)
  --in-memory       keeps nothing
  --help            this text

Environment: PORT; ROOT_USERNAME and ROOT_PASSWORD of the first account (ddmlab, secret); TABLE_NAME (Dapple);
DYNAMODB_ENDPOINT uses another engine than the embedded DynamoDB Local, which needs Java 17 or newer; LOG_LEVEL (WARN).`;

interface Settings {
  readonly port: number;
  readonly dataDir: string;
  readonly inMemory: boolean;
}

/** Reads the command line; undefined when it asks for help. Throws an Error that says what is wrong with it. */
function readSettings(): Settings | undefined {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: process.env['PORT'] || '8080' },
      data: { type: 'string', default: '.data' },
      'in-memory': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) throw new Error(`'${values.port}' is not a port number`);
  return { port, dataDir: values.data, inMemory: values['in-memory'] };
}

async function main(): Promise<void> {
  const settings = readSettings();
  if (settings === undefined) return console.log(help);
  let server: LocalServer | undefined;
  onStop((reason) => {
    stopping = true;
    console.log(`${reason}: stopping`);
    // Before the server is there, the exit itself ends the engine, by its watchdog.
    (server?.close() ?? Promise.resolve()).then(() => process.exit(0), fail);
  });

  const username = process.env['ROOT_USERNAME'] || 'ddmlab';
  const givenPassword = process.env['ROOT_PASSWORD'] || undefined;
  server = await startServer({
    ...settings,
    endpoint: process.env['DYNAMODB_ENDPOINT'] || undefined,
    tableName: process.env['TABLE_NAME'] || undefined,
    root: { username, password: givenPassword ?? 'secret' },
    say: console.log,
  });
  void server.engineEnded.then(endWithEngine);

  const password = givenPassword === undefined ? 'secret' : '$ROOT_PASSWORD';
  console.log(`
Account root, user ${username}, password ${givenPassword === undefined ? password : 'from ROOT_PASSWORD'}. For a token:
  curl -i -H 'X-Rucio-Account: root' -H 'X-Rucio-Username: ${username}' -H "X-Rucio-Password: ${password}" ${server.url}/auth/userpass
`);
  console.log(`ready ${server.url} (${(performance.now() / 1000).toFixed(1)} s)`);
}

let stopping = false;

function endWithEngine(said: string): void {
  if (!stopping) fail(new Error(`The embedded DynamoDB has ended, so Dapple ends too:\n${said}`));
}

/** Faults of the surroundings come with their remedy, so that a stack would only hide it. */
function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

main().catch(fail);
