import { SecretPrompt } from './ask-secrets.ts';
import { findServer } from './data-lock.ts';
import { text, type Values } from './option.ts';
import { describeTable, openEngineOf, runProgram } from './programs.ts';
import { dataOption, helpOption } from './shared-options.ts';

interface Wish {
  readonly username: string;
  readonly account: string;
  readonly by: { readonly username: string; readonly account: string } | undefined;
}

const options = {
  username: text('--username <name>', {
    help: 'user whose password is set',
    default: '`ROOT_USERNAME`, or ddmlab',
    read: (given = process.env['ROOT_USERNAME'] || 'ddmlab') => given,
  }),
  account: text('--account <name>', {
    help: 'an account of the username',
    default: 'root',
    read: (given = 'root') => given,
  }),
  url: text('--url <url>', { help: 'the server of the catalogue', read: (given) => given }),
  by: text('--by <username>', {
    help: 'with --url: an administrator who sets it for somebody else',
    read: (given) => given,
  }),
  byAccount: text('--by-account <name>', {
    help: 'the account of the administrator',
    default: 'root',
    read: (given = 'root') => given,
  }),
  data: dataOption('without --url: the data of a local server; whether one runs on it or not'),
  help: helpOption,
};

async function main(values: Values<typeof options>): Promise<void> {
  const { username, account } = values;
  const by = values.by === undefined ? undefined : { username: values.by, account: values.byAccount };
  const isTable = process.env['TABLE_NAME'] !== undefined || process.env['DYNAMODB_ENDPOINT'] !== undefined;
  const url = values.url ?? (isTable ? undefined : findServer(values.data));
  const prompt = new SecretPrompt();
  try {
    if (url === undefined) await setInTable(values.data, username, prompt);
    else await setByServer(url.replace(/\/+$/, ''), { username, account, by }, prompt);
  } finally {
    prompt.close();
  }
  console.log(`The password of ${username} is set. Its tokens end, within a minute everywhere.`);
}

async function setInTable(dataDir: string, username: string, prompt: SecretPrompt): Promise<void> {
  const engine = openEngineOf(dataDir);
  try {
    const password = await prompt.ask(`New password of ${username}`);
    const { openStore } = await import('../lib/store/open-store.ts');
    const { resetPassword } = await import('../lib/domain/identities/reset-password.ts');
    await resetPassword(openStore(engine?.client), username, password);
  } finally {
    engine?.close();
  }
}

async function setByServer(url: string, { username, account, by }: Wish, prompt: SecretPrompt): Promise<void> {
  const caller = by ?? { username, account };
  const present = await prompt.ask(`Present password of ${caller.username} at ${url}`);
  const password = await prompt.ask(`New password of ${username}`);
  const login = await send(`${url}/auth/userpass`, 'GET', {
    'X-Rucio-Account': caller.account,
    'X-Rucio-Username': caller.username,
    'X-Rucio-Password': present,
  });
  await send(`${url}/identities/${encodeURIComponent(account)}/userpass`, 'PUT', {
    'X-Rucio-Auth-Token': login.headers.get('X-Rucio-Auth-Token') ?? '',
    'X-Rucio-Username': username,
    'X-Rucio-Password': password,
    ...(by === undefined ? { 'X-Rucio-Current-Password': present } : {}),
  });
}

async function send(url: string, method: string, headers: Record<string, string>): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { method, headers });
  } catch (cause) {
    throw new Error(`${new URL(url).origin} does not answer.`, { cause });
  }
  if (response.ok) return response;
  throw new Error(response.headers.get('ExceptionMessage') ?? `${response.status} ${await response.text()}`);
}

await runProgram({
  usage: 'npm run passwd -- [options]',
  summary: 'sets the password of a username; all its tokens end',
  options,
  notes: [
    'It asks for the passwords on the terminal, or reads them from the standard input, one a line: with a server first the ' +
      'present password of the username, or of the administrator, then the new one; without a server the new one alone. ' +
      'The right to write to the data folder is enough: so a lost password is replaced.',
    describeTable('read and write'),
  ],
  run: main,
});
