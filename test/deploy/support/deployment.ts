import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Template } from '../../../infra/sam-template.ts';
import { changeCode, countTypes, dropOptions, readTemplate } from './assembly.ts';
import { listResources } from './leftovers.ts';
import { followMappings } from './mappings.ts';
import { hurrySchedules } from './schedules.ts';
import type { Workshop } from './workshop.ts';

/** A deployed stack. */
export interface Deployment {
  readonly workshop: Workshop;
  readonly stackName: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** The deployed API and its first account, for tests. */
  readonly server: { readonly url: string; readonly username: string; readonly password: string };
  /** Ends the replacements for features of the emulator: event source mappings and rare schedules. */
  readonly stopHelping: () => Promise<void>;
}

/** Deploys the stack, logs in with the generated password, and starts its stream consumers. */
export async function deployFirst(workshop: Workshop, notMade: Readonly<Record<string, string>>): Promise<Deployment> {
  const { assembly, cdk, emulator, engine, say, timed } = workshop;
  const template = await readTemplate(assembly);
  await checkCode(assembly, template);
  const { outputs } = await timed('the stack is deployed', () => cdk.deploy(assembly));
  for (const [type, count] of countTypes(template)) say(`  ${String(count).padStart(3)} ${type}`);
  checkNoted(await emulator.noted(), template, notMade, say);
  const { RootSecretArn: SecretId = '', TableName: tableName = '' } = outputs;
  const { SecretString } = await emulator.aws.json<{ SecretString: string }>('secretsmanager', 'GetSecretValue', {
    SecretId,
  });
  const user = JSON.parse(SecretString) as { username: string; password: string };
  const mappings = await followMappings(emulator.aws, { endpoint: engine.url, tableName, say });
  const schedules = await hurrySchedules(emulator.aws, say);
  const stopHelping = async () => {
    schedules.stop();
    await mappings.stop();
  };
  workshop.atEnd(stopHelping);
  say(`${mappings.count} event source mappings follow the table, ${schedules.count} rare schedules are hurried`);
  const server = { url: emulator.apiUrl, ...user };
  await logIn(server);
  say(`root is in, with the password of ${SecretId}`);
  return { workshop, stackName: 'dapple-dev', outputs, server, stopHelping };
}

/** Deploys the same again: nothing changes, and the service still works. */
export async function redeployUnchanged({ workshop: { cdk, assembly, timed }, server }: Deployment): Promise<void> {
  const { said } = await timed('the same stack is deployed again', () => cdk.deploy(assembly));
  if (!said.includes('(no changes)')) throw new Error(`the second deployment changed something:\n${said}`);
  await logIn(server);
}

/** A deployment that drops options of the stack is refused, by their names. */
export async function refuseDropped({ workshop: { cdk, assembly, scratch, say } }: Deployment): Promise<void> {
  const copy = join(scratch, 'cdk.dropped');
  await dropOptions(assembly, copy);
  const refusal: unknown = await cdk.deploy(copy).then(
    () => new Error('it was deployed'),
    (error: unknown) => error,
  );
  const said = refusal instanceof Error ? refusal.message : String(refusal);
  if (!/was deployed with responseMode=buffer, which nothing sets now/.test(said))
    throw new Error(`a deployment that drops options was not refused:\n${said}`);
  say('a deployment that drops options is refused');
}

/** Deploys new code under load: no request fails, and the new code answers in the end. */
export async function redeployChanged({ workshop, server }: Deployment): Promise<void> {
  const { cdk, assembly, scratch, say, timed } = workshop;
  const version = await ping(server.url);
  const changed = `${version}-changed`;
  const copy = join(scratch, 'cdk.changed');
  await changeCode(assembly, copy, { entry: /^groupping/, from: `"${version}"`, to: `"${changed}"` });
  const token = await logIn(server);
  const deployed = new AbortController();
  const answers = (async () => {
    let count = 0;
    const seen = new Set<string>();
    for (; !deployed.signal.aborted; count += 1) {
      seen.add(await ping(server.url));
      await expectOk(`${server.url}/accounts/whoami`, { 'X-Rucio-Auth-Token': token });
      await sleep(20);
    }
    return { count, seen: [...seen] };
  })();
  answers.catch(() => {});
  await timed('the stack with other code is deployed', () => cdk.deploy(copy)).finally(() => deployed.abort());
  const { count, seen } = await answers;
  if (seen[0] !== version) throw new Error(`ping said ${seen.join()} before the new code was there`);
  const now = await ping(server.url);
  if (now !== changed) throw new Error(`ping still says ${now}: the new code does not run`);
  await logIn(server);
  say(`${count} pairs of requests were answered meanwhile, and ping says ${now}`);
}

/** Destroys the stack and checks that nothing is left. */
export async function destroy({ workshop, stackName, stopHelping }: Deployment): Promise<void> {
  const { emulator, engine, cdk, assembly, say, timed } = workshop;
  await checkSchedules(workshop, stackName);
  const before = await listResources(emulator.aws, engine, stackName);
  await stopHelping();
  await timed('the stack is destroyed', () => cdk.destroy(assembly));
  const left = await listResources(emulator.aws, engine, stackName);
  if (before.length === 0) throw new Error('nothing was found before either');
  if (left.length > 0) throw new Error(`left behind:\n${left.join('\n')}`);
  say(`${before.length} functions, mappings, APIs, tables, secrets, log groups, queues, buses and rules are gone`);
}

/** Checks that the emulator runs the jobs of every minute within a minute of the deployment. */
async function checkSchedules({ emulator: { aws }, say }: Workshop, stackName: string): Promise<void> {
  const { Functions } = await aws.rest<{
    Functions: { FunctionName: string; LoggingConfig: { LogGroup: string } }[];
  }>('lambda', 'GET', '/2015-03-31/functions/?MaxItems=10000');
  const work = Functions.find(({ FunctionName }) => FunctionName.startsWith(`${stackName}-WorkFunction`));
  if (work === undefined) throw new Error('there is no function that does what is due');
  const countRuns = async () => {
    const logGroupName = work.LoggingConfig.LogGroup;
    const { events } = await aws.json<{ events: { message: string }[] }>('logs', 'FilterLogEvents', { logGroupName });
    return events.filter(({ message }) => message.startsWith('START')).length;
  };
  let runs = await countRuns();
  for (const deadline = performance.now() + 75_000; runs === 0 && performance.now() < deadline; await sleep(1_000)) {
    runs = await countRuns();
  }
  if (runs === 0) throw new Error(`${work.FunctionName} has not run`);
  say(`${work.FunctionName} has run ${runs} times by its schedule`);
}

/** Checks that the template's paths of the code of all functions exist; SAM reads them, too (docs/how-to/deploy.md). */
async function checkCode(assembly: string, { Resources }: Template): Promise<void> {
  for (const [id, { Type, Properties = {}, Metadata = {} }] of Object.entries(Resources)) {
    if (Type !== 'AWS::Lambda::Function') continue;
    const path = join(assembly, String(Metadata['aws:asset:path']), 'index.mjs');
    const exports = /\bas handler\b/.test(await readFile(path, 'utf8'));
    if (Properties['Handler'] !== 'index.handler' || !exports) {
      throw new Error(`${id}: ${path} exports no handler`);
    }
  }
}

function checkNoted(
  noted: readonly string[],
  { Resources }: Template,
  notMade: Readonly<Record<string, string>>,
  say: (line: string) => void,
): void {
  for (const line of noted) say(`taken note of, not made: ${line}`);
  const types = new Set(noted.map((line) => line.split(' ')[0] ?? ''));
  const wrong = [
    ...[...types].filter((type) => !Object.hasOwn(notMade, type)).map((type) => `${type} was not made`),
    ...Object.keys(notMade).flatMap((type) => (types.has(type) ? [] : `${type} was made, or is not in the stack`)),
  ];
  if (wrong.length > 0) throw new Error(`test/deploy/not-made.ts is not exact:\n${wrong.join('\n')}`);
  if (noted.length >= Object.keys(Resources).length) throw new Error('nothing was made');
}

async function logIn({ url, username, password }: Deployment['server']): Promise<string> {
  const headers = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': username, 'X-Rucio-Password': password };
  const token = (await expectOk(`${url}/auth/userpass`, headers)).headers.get('X-Rucio-Auth-Token');
  if (token === null) throw new Error('a log-in brought no token');
  return token;
}

async function ping(url: string): Promise<string> {
  return ((await (await expectOk(`${url}/ping`)).json()) as { version: string }).version;
}

async function expectOk(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${url} answers ${response.status} ${await response.text()}`);
  return response;
}
