/** The command line `rucio`, each command in a process of its own. HTTP requests prepare the data of a case. */
import { describe, expect, it } from 'vitest';

import { rootUser } from '../support/run.ts';
import { accountCommands } from './commands/accounts.ts';
import { configCommands } from './commands/config.ts';
import { didCommands } from './commands/dids.ts';
import { logInCommands } from './commands/log-in.ts';
import { oidcCommands } from './commands/oidc.ts';
import { opendataCommands } from './commands/opendata.ts';
import { replicaCommands } from './commands/replicas.ts';
import { rseCommands } from './commands/rses.ts';
import { ruleCommands } from './commands/rules.ts';
import { scopeCommands } from './commands/scopes.ts';
import { signedUploadCommands } from './commands/signed-uploads.ts';
import { subscriptionCommands } from './commands/subscriptions.ts';
import { uploadCommands } from './commands/uploads.ts';
import { formatRecording, recordingPath, summarise } from './results.ts';
import { casesRun } from './support/cases.ts';
import { createClientHome } from './support/client-home.ts';

/** Groups of commands without cases, and why. */
const leftOut = new Map<string, string>();

/** Every command that the client has, and its version. */
async function readClient(): Promise<{ client: string; commands: string[] }> {
  const home = await createClientHome({ account: 'root', ...rootUser() });
  try {
    const { status, stdout, stderr } = await home.python('methods.commands');
    if (status !== 0) throw new Error(`the commands cannot be listed:\n${stderr}`);
    return JSON.parse(stdout) as { client: string; commands: string[] };
  } finally {
    await home.remove();
  }
}

const { client, commands } = await readClient();
const inScope = commands.filter((name) => !leftOut.has(name.split(' ')[0] ?? ''));

logInCommands();
oidcCommands();
scopeCommands();
didCommands();
accountCommands();
rseCommands();
replicaCommands();
ruleCommands();
configCommands();
subscriptionCommands();
uploadCommands();
signedUploadCommands();
opendataCommands();

describe('the cases', () => {
  it('cover every command but those that are left out', () => {
    const tested = new Set(casesRun().map(({ name }) => name.replace(/ --.*/, '')));
    expect([...tested].toSorted()).toEqual(inScope.toSorted());
  });

  it('are recorded for docs/compatibility.md (renew with -u)', async () => {
    const names = [...new Set(casesRun().map(({ name }) => name))].toSorted();
    const subjects = names.map((name) => {
      const cases = casesRun().filter((ran) => ran.name === name);
      return summarise(name, cases);
    });
    const others = Array.from(leftOut, ([name, why]) => ({ name, why }));
    await expect(formatRecording({ client, subjects, others })).toMatchFileSnapshot(recordingPath('commands'));
  });
});
