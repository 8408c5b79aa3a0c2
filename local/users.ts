import { readFileSync } from 'node:fs';

import { SecretPrompt } from './ask-secrets.ts';
import { findServer } from './data-lock.ts';
import { required, text, toggle, type Values } from './option.ts';
import { runProgram } from './programs.ts';
import { dataOption, helpOption } from './shared-options.ts';
import { planUser } from './users/plan-user.ts';
import { logIn, type Session } from './users/session.ts';
import { readUsers, userColumns } from './users/wanted-users.ts';

const options = {
  from: required('--from <file>', 'CSV with a row for each user'),
  dryRun: toggle('--dry-run', 'says what would be done, and changes nothing'),
  url: text('--url <url>', { help: 'the server of the catalogue', read: (given) => given }),
  data: dataOption('without --url: the server that runs on this data'),
  username: text('--username <name>', {
    default: '`ROOT_USERNAME`, or ddmlab',
    help: 'an administrator',
    read: (given = process.env['ROOT_USERNAME'] || 'ddmlab') => given,
  }),
  account: text('--account <name>', {
    default: 'root',
    help: 'the account of the administrator',
    read: (given = 'root') => given,
  }),
  help: helpOption,
};

async function main(values: Values<typeof options>): Promise<void> {
  const users = readUsers(readFileSync(values.from, 'utf8'));
  const url = (values.url ?? findServer(values.data))?.replace(/\/+$/, '');
  if (url === undefined) throw new Error(`No server runs on ${values.data}. Start it, or name one with \`--url\`.`);
  const session = await logIn({ ...values, url, password: await askPassword(values.username, url) });
  // All rows are looked at before anything is changed.
  const plans = await planAll(users, session);
  for (const { account, changes } of plans) {
    if (changes.length === 0) console.log(`${account}: nothing to do`);
    for (const change of changes) {
      if (!values.dryRun) await session.change(change);
      console.log(`${account}: ${values.dryRun ? 'would get ' : ''}${change.text}`);
      if (!values.dryRun && change.secret !== undefined) console.log(`${account}: ${change.secret}`);
    }
  }
}

async function planAll(users: ReturnType<typeof readUsers>, session: Session) {
  const plans = [];
  for (const user of users) plans.push({ account: user.account, changes: await planUser(user, session) });
  return plans;
}

async function askPassword(username: string, url: string): Promise<string> {
  const prompt = new SecretPrompt();
  try {
    return await prompt.ask(`Password of ${username} at ${url}`);
  } finally {
    prompt.close();
  }
}

await runProgram({
  usage: 'npm run dapple -- users --from <file> [options]',
  summary: 'makes accounts, log-ins, scopes and quotas of a CSV file',
  options,
  notes: [
    'It may run as often as the file changes: what is there already stays, also passwords, and nothing is taken away but a former ' +
      'value of an attribute. It asks for the password of the administrator on the terminal, or reads it from the standard input. ' +
      'The columns, of which the first line names some in any order:',
    ...Object.entries(userColumns).map(([name, meaning]) => `${name}: ${meaning}`),
  ],
  run: main,
});
