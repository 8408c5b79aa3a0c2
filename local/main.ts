import { enableCompileCache } from 'node:module';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { startServer, type LocalServer } from './server.ts';
import { onStop } from './stop-signals.ts';

// Caches compiled code between starts: ready in 0.5 s instead of 0.8 s.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));

const help = `npm start -- [options]      runs Dapple on this machine

  --port <number>   port of the interface on localhost (default: PORT, or 8080)
  --data <folder>   keeps the catalogue there between starts (default: .data)
  --in-memory       keeps nothing
  --storage <folder>
                    folder in which the files of RSEs may be copied (attribute mover=posix) and deleted (--reaper);
                    may be repeated (default: storage in the data folder)
  --reaper          deletes files from storage, on the RSEs for which the reaper is switched on (docs/how-to/free-space.md)
  --no-tasks        serves requests and does nothing by itself: no rule is placed, repaired or removed, no file copied or deleted;
                    for a comparison after a move (docs/how-to/move-in.md)
  --no-browser      serves the interface without the page for browsers
  --allow-host <name>
                    another name than localhost, 127.0.0.1 and [::1] under which it is reached; may be repeated
  --dynamodb-port <number>
                    serves the table there as a DynamoDB endpoint on localhost, for the AWS CLI and other tools
  --threads <number>
                    threads for long requests beside the main one (default: processors - 1, at most 4);
                    0: one thread for everything
  --help            this text

Environment: PORT; ROOT_USERNAME and ROOT_PASSWORD of the first account (ddmlab, secret); TABLE_NAME (Dapple);
DYNAMODB_ENDPOINT uses another engine than the embedded one, such as AWS's DynamoDB Local; LOG_LEVEL (WARN);
OIDC_CLIENTS_FILE names a file with the registrations at OpenID providers for log-ins, and RSE_CREDENTIALS_FILE one with
the credentials of RSEs whose URLs are to be signed (docs/operations/configuration.md).`;

/** The most threads by default: the main thread passes on all requests and answers. */
const maxThreads = 4;

interface Settings {
  readonly port: number;
  readonly dataDir: string;
  readonly inMemory: boolean;
  readonly browser: boolean;
  readonly isReaping: boolean;
  readonly tasks: boolean;
  readonly dynamodbPort: number | undefined;
  readonly threads: number;
  readonly storage: readonly string[];
  readonly hosts: readonly string[];
}

/** Parses the command line; undefined if it asks for help. Throws an Error that explains a mistake. */
function readSettings(): Settings | undefined {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      port: { type: 'string', default: process.env['PORT'] || '8080' },
      data: { type: 'string', default: '.data' },
      'in-memory': { type: 'boolean', default: false },
      browser: { type: 'boolean', default: true },
      tasks: { type: 'boolean', default: true },
      reaper: { type: 'boolean', default: false },
      'dynamodb-port': { type: 'string' },
      storage: { type: 'string', multiple: true },
      'allow-host': { type: 'string', multiple: true, default: [] },
      threads: { type: 'string', default: String(Math.min(availableParallelism() - 1, maxThreads)) },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const dynamodbPort = values['dynamodb-port'];
  return {
    port: readPort(values.port),
    dataDir: values.data,
    inMemory: values['in-memory'],
    browser: values.browser,
    isReaping: values.reaper,
    tasks: values.tasks,
    dynamodbPort: dynamodbPort === undefined ? undefined : readPort(dynamodbPort),
    threads: readThreads(values.threads),
    hosts: values['allow-host'],
    storage: (values.storage ?? (values['in-memory'] ? [] : [join(values.data, 'storage')])).map((folder) =>
      resolve(folder),
    ),
  };
}

function readThreads(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new Error(`'${text}' is not a number of threads from 0 to 99`);
  return Number(text);
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`'${text}' is not a port number`);
  return port;
}

async function main(): Promise<void> {
  const settings = readSettings();
  if (settings === undefined) return console.log(help);
  let server: LocalServer | undefined;
  onStop((reason) => {
    console.log(`${reason}: stopping`);
    (server?.close() ?? Promise.resolve()).then(() => process.exit(0), fail);
  });

  const username = process.env['ROOT_USERNAME'] || 'ddmlab';
  const givenPassword = process.env['ROOT_PASSWORD'] || undefined;
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

/** Errors of the environment contain their remedy; a stack trace would hide it. */
function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

main().catch(fail);
