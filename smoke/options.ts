import { describeOptions, parseOptions, required, text, texts, toggle, type Values, wrap } from '../local/option.ts';
import { helpOption } from '../local/shared-options.ts';

const isLocal = (url: string) => /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/.test(url);

/** Every option of `npm run smoke`. */
const options = {
  url: required(
    '--url <url>',
    'of the deployment: the output `ApiUrl` of the stack, a custom domain, http://localhost:8080',
  ),
  account: text('--account <name>', {
    default: 'root',
    help: 'an account with the attribute `admin`, or root',
    read: (given = 'root') => given,
  }),
  username: text('--username <name>', {
    default: '`ROOT_USERNAME`, or ddmlab at localhost, or the name of the account',
    help: 'its username',
    read: (given) => given,
  }),
  password: text('--password <text>', {
    default: '`ROOT_PASSWORD`, or secret at localhost',
    help: 'its password',
    read: (given) => given,
  }),
  origin: text('--origin <url>', {
    help: 'an origin of `corsOrigins`, whose web pages must be allowed to call',
    read: (given) => given,
  }),
  authUrl: text('--auth-url <url>', {
    help: 'the domain name that requires client certificates (`mtlsDomainName`), with --cert',
    read: (given) => (given === undefined ? undefined : readUrl(given)),
  }),
  cert: text('--cert <file>', {
    help: 'a certificate or proxy of a user of the account, in PEM, that must log in at --auth-url',
    read: (given) => given,
  }),
  key: text('--key <file>', {
    default: 'the file of --cert, as of proxies',
    help: 'its key',
    read: (given) => given,
  }),
  patienceMs: text('--patience <seconds>', {
    default: '30',
    help: 'how long nothing may happen before a request counts as hanging',
    read: (given = '30') => readSeconds('patience', given),
  }),
  pauseMs: text('--pause <seconds>', {
    help: 'also waits so long without a request, and asks again: 600 shows what a frozen function does',
    read: (given) => (given === undefined ? undefined : readSeconds('pause', given)),
  }),
  only: texts('--only <line>', {
    help: 'only this line, and what it needs; may be repeated',
    read: (given = []) => given,
  }),
  json: toggle('--json', 'one JSON document in place of lines'),
  help: helpOption,
};

const notes = [
  'Each line says what was tried, what came and, if that is wrong, what to do. The exit status is 0 if no line failed, otherwise 1.',
  'It deletes what it makes; docs/operations/first-hour.md says what stays.',
];

/** The text of `--help`. */
export function describeSmoke(): string {
  const usage =
    'npm run smoke -- --url <url> [options]      tries a deployment from outside, as its first clients will\n';
  const paragraphs = notes.map((note) => `\n${wrap(note, 120).join('\n')}`);
  return [usage, ...describeOptions(options), ...paragraphs].join('\n').replaceAll('`', '');
}

/** How the smoke test runs. */
export interface SmokeOptions extends Omit<Values<typeof options>, 'url' | 'username' | 'password'> {
  readonly url: URL;
  readonly username: string;
  readonly password: string;
}

/**
 * Reads the command line.
 *
 * @returns undefined for `--help`.
 * @throws Error with a remedy for wrong options.
 */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): SmokeOptions | undefined {
  const values = parseOptions(options, args);
  if (values === undefined) return undefined;
  const { account } = values;
  const url = readUrl(values.url);
  const preset = isLocal(values.url) ? { username: 'ddmlab', password: 'secret' } : { username: account };
  const password = values.password ?? (environment['ROOT_PASSWORD'] || preset.password);
  if (password === undefined)
    throw new Error('`--password` is missing; that of root is in a secret of the stack (docs/how-to/deploy.md).');
  const rootName = environment['ROOT_USERNAME'] || preset.username;
  return { ...values, url, password, username: values.username ?? (account === 'root' ? rootName : account) };
}

function readUrl(given: string): URL {
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error(`'${given}' is no http or https URL.`);
  return url;
}

function readSeconds(name: string, given: string): number {
  const seconds = Number(given);
  if (!(seconds > 0 && seconds <= 3600)) throw new Error(`\`--${name}\` takes a number of seconds up to 3600.`);
  return seconds * 1000;
}
