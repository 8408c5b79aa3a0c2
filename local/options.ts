import { availableParallelism } from 'node:os';

import type { CertificateFiles } from './certificate.ts';
import { jobCommands } from './jobs/commands/job-commands.ts';
import { readJob } from './jobs/plan.ts';
import { defaultSendmail } from './jobs/require-needs.ts';
import {
  describeAll,
  describeOptions,
  type Options,
  parseOptions,
  text,
  texts,
  toggle,
  type Values,
} from './option.ts';
import { withSettingsFile } from './settings-file.ts';
import { dataOption, helpOption, storageIn, storageOption } from './shared-options.ts';

/** The most threads by default: the main thread passes on all requests and answers. */
const maxThreads = 4;

/** Every option of `npm start`, by the name of its setting. */
export const serverOptions = {
  port: text('--port <number>', {
    default: '`PORT`, or 8080',
    help: 'port of the interface on localhost; 0 for any free one',
    read: (given = process.env['PORT'] || '8080') => readPort(given),
  }),
  host: text('--host <address>', {
    default: 'loopback alone',
    help: 'address on which other machines reach it, such as `0.0.0.0`; without `--tls-cert` only behind a proxy or in a container, and never with the documented password',
    read: (given) => given,
  }),
  tlsCert: text('--tls-cert <file>', {
    help: 'PEM file with the certificate of the server and its chain: the interface speaks TLS; read again when it has changed',
    read: (given) => given,
  }),
  tlsKey: text('--tls-key <file>', { help: 'PEM file with the key of the certificate', read: (given) => given }),
  behindProxy: texts('--behind-proxy <address>', {
    help: 'address or network of a proxy, or `loopback`, whose `X-Forwarded-For`, `X-Forwarded-Host` and `X-Forwarded-Proto` are believed; may be repeated',
    read: (given = []) => given,
  }),
  dataDir: dataOption('keeps the catalogue there between starts'),
  policy: text('--policy <name>', {
    default: '`POLICY`, or `generic`',
    help: 'names, activities and paths of an experiment: a policy by its name, or by the path of its file (docs/how-to/your-policy.md)',
    read: (given = process.env['POLICY'] || undefined) => given,
  }),
  inMemory: toggle('--in-memory', 'keeps nothing'),
  testReset: toggle(
    '--test-reset',
    'for tests, with `--in-memory`: `POST /test/reset` with the header `X-Dapple-Reset: yes` takes the catalogue back to its start',
  ),
  rootPasswordFile: text('--root-password-file <file>', {
    help: 'file with the password of root for a new catalogue; without it and `ROOT_PASSWORD` one is made and printed, where other machines reach the server',
    read: (given) => given,
  }),
  storage: storageOption(
    'folder in which the files of RSEs may be copied (attribute `mover=posix` or `stream`) and deleted (`--reaper`)',
  ),
  isReaping: toggle(
    '--reaper',
    'deletes files from storage, on the RSEs for which the reaper is switched on (docs/how-to/free-space.md)',
  ),
  tasks: toggle(
    '--no-tasks',
    'serves requests and does nothing by itself: no rule is placed, repaired or removed, no file copied or deleted; for a comparison after a move (docs/how-to/move-in.md)',
  ),
  browser: toggle('--no-browser', 'serves the interface without the page for browsers'),
  hosts: texts('--allow-host <name>', {
    help: 'another name than `localhost`, `127.0.0.1`, `[::1]` and those of its certificate under which it is reached; may be repeated',
    read: (given = []) => given,
  }),
  metricsPort: text('--metrics-port <number>', {
    help: 'serves `/metrics` there, on localhost and without a token, and no more at the interface; 0 for any free port',
    read: (given) => (given === undefined ? undefined : readPort(given)),
  }),
  metricsTokenFile: text('--metrics-token-file <file>', {
    help: 'file with a token: the interface answers `/metrics` to whoever presents it as `Authorization: Bearer`, and to nobody else',
    read: (given) => given,
  }),
  minFree: text('--min-free <megabytes>', {
    default: '256, at most 5 % of the disk',
    help: 'space of the disk with the data below which nothing more is stored, so that deletions go on',
    read: (given) => (given === undefined ? undefined : readMegabytes(given)),
  }),
  jobs: texts('--job <time and command>', {
    help: 'runs a command of the package by itself, such as `02:30 backup --to /backups`, `sun 04:00 check-storage --rse DISK --folder /disk`, `1 06:00 report --to /reports` or `every 6h ...`, in the time of the machine; may be repeated (docs/how-to/lab-server.md)',
    read: (given = []) => given.map((job) => readJob(job, jobCommands)),
  }),
  mailTo: text('--mail-to <address>', {
    help: 'gets a mail if a job fails or finds something',
    read: readMailAddress,
  }),
  sendmail: text('--sendmail <program>', {
    default: defaultSendmail,
    help: 'sends it: takes a mail with its head from the standard input, with `-i -t`',
    read: (given = defaultSendmail) => given,
  }),
  webhook: text('--webhook <url>', {
    help: 'gets a POST with JSON if a job fails or finds something; `text` says what',
    read: readWebhook,
  }),
  settings: text('--settings <file>', {
    help: 'JSON file with options by their names, such as `{"port": 8443, "job": ["02:30 backup --to /backups"]}`; what the command line says counts more',
    read: (given) => given,
  }),
  dynamodbPort: text('--dynamodb-port <number>', {
    help: 'serves the table there as a DynamoDB endpoint on localhost, for the AWS CLI and other tools; 0 for any free port',
    read: (given) => (given === undefined ? undefined : readPort(given)),
  }),
  threads: text('--threads <number>', {
    default: `processors - 1, at most ${maxThreads}`,
    help: 'threads for long requests beside the main one; 0: one thread for everything',
    read: (given) => (given === undefined ? Math.min(availableParallelism() - 1, maxThreads) : readThreads(given)),
  }),
  help: helpOption,
} satisfies Options;

/** The settings of a server, as the options set them. */
export interface Settings extends Omit<Values<typeof serverOptions>, 'tlsCert' | 'tlsKey'> {
  /** The files of the certificate, if the interface speaks TLS. */
  readonly tls: CertificateFiles | undefined;
}

/** The environment variables that `npm start` reads, beside those of the functions. */
export const serverVariables: Readonly<Record<string, string>> = {
  PORT: 'port of the interface, unless `--port` is given',
  POLICY: 'name or file of the policy, unless `--policy` is given; also for the programs beside the server',
  ROOT_USERNAME: 'user name of the account `root` (`ddmlab`); read when it is created',
  ROOT_PASSWORD:
    'its password, unless `--root-password-file` is given (`secret`, or made and printed where other machines reach the server); read when it is created',
  TABLE_NAME: 'name of the table (`Dapple`)',
  DYNAMODB_ENDPOINT: "URL of an engine to use in place of the embedded one, such as AWS's DynamoDB Local",
  LOG_LEVEL: '`WARN`; `INFO` logs one record per request',
  OIDC_CLIENTS_FILE: 'file with the registrations at OpenID providers for log-ins (docs/operations/configuration.md)',
  RSE_CREDENTIALS_FILE:
    'file with the credentials of RSEs whose URLs are to be signed (docs/operations/configuration.md)',
};

/** Parses the command line; undefined if it asks for help. Throws an Error that explains a mistake. */
export function readSettings(args = process.argv.slice(2)): Settings | undefined {
  const settings = parseOptions(serverOptions, withSettingsFile(args));
  if (settings === undefined) return undefined;
  const { tlsCert, tlsKey, ...rest } = settings;
  const { storage, dataDir, inMemory, testReset, host, behindProxy } = settings;
  if (testReset && !inMemory) throw new Error('--test-reset needs --in-memory: only what is not kept can be reset.');
  if (testReset && (host !== undefined || behindProxy.length > 0)) {
    throw new Error('--test-reset serves this machine alone: leave out --host and --behind-proxy.');
  }
  if (settings.jobs.length > 0 && (inMemory || process.env['DYNAMODB_ENDPOINT'])) {
    throw new Error('--job needs a data folder: leave out --in-memory and DYNAMODB_ENDPOINT.');
  }
  const tls = readTls(tlsCert, tlsKey);
  return { ...rest, tls, storage: storage ?? (inMemory ? [] : storageIn(dataDir)) };
}

function readTls(cert: string | undefined, key: string | undefined): CertificateFiles | undefined {
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert === undefined && key === undefined) return undefined;
  throw new Error('`--tls-cert` and `--tls-key` belong together: a certificate and its key.');
}

/** The text that `npm start -- --help` prints. */
export function describeServer(): string {
  return [
    'npm start -- [options]      runs Dapple on this machine\n',
    ...describeOptions(serverOptions),
    '\nEnvironment:\n',
    ...describeAll(Object.entries(serverVariables)),
  ]
    .join('\n')
    .replaceAll('`', '');
}

function readThreads(given: string): number {
  if (!/^\d{1,2}$/.test(given)) throw new Error(`'${given}' is not a number of threads from 0 to 99`);
  return Number(given);
}

function readMegabytes(given: string): number {
  if (!/^\d{1,7}$/.test(given)) throw new Error(`'${given}' is not a number of megabytes`);
  return Number(given) * 1_000_000;
}

function readWebhook(given: string | undefined): string | undefined {
  if (given === undefined || ['http:', 'https:'].includes(URL.parse(given)?.protocol ?? '')) return given;
  throw new Error(`\`--webhook ${given}\` is no URL, such as https://chat.example.org/hooks/dapple.`);
}

/** An address, or a user of this machine. It becomes a line of the mail. */
function readMailAddress(given: string | undefined): string | undefined {
  if (given === undefined || /^[^\s@,:;<>"]+(?:@[^\s@,:;<>"]+)?$/.test(given)) return given;
  throw new Error(`\`--mail-to ${given}\` is no address, such as operator@example.org.`);
}

function readPort(given: string): number {
  const port = Number(given);
  if (!/^\d+$/.test(given) || port > 65_535) throw new Error(`'${given}' is not a port number`);
  return port;
}
