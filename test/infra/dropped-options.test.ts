/** A deployment that leaves out an option of the stack is refused. CloudFormation is a server that answers what the CDK asks. */
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { deployedOptions } from '../../infra/deployed-options.ts';
import { droppedOptions, statedOutput } from '../../infra/stated-options.ts';
import { ping } from '../../lib/contract/ping.ts';
import { compiledModules } from '../support/native-modules.ts';
import { templateOf } from './template.ts';

const asked: string[] = [];
let deployed: object | undefined;

const aws = createServer((request, response) => {
  void answer(request, response);
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const action = new URLSearchParams(await text(request)).get('Action') ?? '';
  asked.push(action);
  const result = answerTo(action);
  const missing = '<Code>ValidationError</Code><Message>Stack with id dapple-geneva does not exist</Message>';
  response.statusCode = result === undefined ? 400 : 200;
  response.setHeader('content-type', 'text/xml');
  response.end(
    result === undefined
      ? `<ErrorResponse><Error>${missing}</Error></ErrorResponse>`
      : `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`,
  );
}

/** Undefined is an error: a stack that does not exist, and every change. */
function answerTo(action: string): string | undefined {
  if (action === 'GetCallerIdentity')
    return '<Account>111122223333</Account><Arn>arn:aws:iam::111122223333:user/o</Arn>';
  if (deployed === undefined) return undefined;
  if (action === 'DescribeStacks') {
    const stack = '<StackName>dapple-geneva</StackName><StackStatus>UPDATE_COMPLETE</StackStatus>';
    return `<Stacks><member>${stack}<CreationTime>2026-01-01T00:00:00Z</CreationTime></member></Stacks>`;
  }
  const template = JSON.stringify(deployed).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return action === 'GetTemplate' ? `<TemplateBody>${template}</TemplateBody>` : undefined;
}

const environment = () => ({
  AWS_ENDPOINT_URL: `http://127.0.0.1:${(aws.address() as AddressInfo).port}`,
  AWS_ACCESS_KEY_ID: 'a',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'eu-central-1',
  CDK_DISABLE_CLI_TELEMETRY: 'true',
});

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    aws.listen(0, '127.0.0.1', resolve);
  });
});

beforeEach(() => {
  asked.length = 0;
  for (const [name, value] of Object.entries(environment())) vi.stubEnv(name, value);
});

afterAll(() => {
  aws.close();
});

function templateThatStates(options: Readonly<Record<string, string>>): object {
  const outputs = templateOf({ stage: 'geneva', kind: 'prod', ...options }, [ping]).findOutputs(statedOutput);
  return { Resources: { Key: { Type: 'AWS::KMS::Key' } }, Outputs: outputs };
}

/** Deploys a template as `npm run deploy` does; returns what it says. Its deployment fails, as this AWS changes nothing. */
async function deploy(template: object): Promise<string> {
  const folder = assemblyOf(template);
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    NODE_COMPILE_CACHE: compiledModules,
    ...environment(),
  };
  const args = ['infra/deploy.ts', '--app', folder, '--require-approval=never', '--method=direct', '--no-notices'];
  try {
    await promisify(execFile)(process.execPath, args, { env });
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
  throw new Error('the deployment succeeded');
}

/** The folder of an assembly with the template as its one stack. */
function assemblyOf(template: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'assembly-'));
  writeFileSync(join(folder, 'template.json'), JSON.stringify(template));
  writeFileSync(join(folder, 'assets.json'), JSON.stringify({ version: '48.0.0', files: {} }));
  const assets = { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } };
  const artifact = {
    type: 'aws:cloudformation:stack',
    environment: 'aws://unknown-account/unknown-region',
    properties: { templateFile: 'template.json' },
    dependencies: ['dapple-geneva.assets'],
  };
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ version: '48.0.0', artifacts: { 'dapple-geneva': artifact, 'dapple-geneva.assets': assets } }),
  );
  return folder;
}

const changes = new Set(['CreateStack', 'UpdateStack']);

describe('a deployment', () => {
  it('is refused if it drops an option that the deployed stack states, before anything is changed', async () => {
    deployed = templateThatStates({ throttleRate: '2000', alarmEmail: 'a@example.org', tracing: 'off' });
    const said = await deploy(templateThatStates({ throttleRate: '3000' }));
    expect(said).toMatch(/^dapple-geneva was deployed with alarmEmail=a@example.org, which nothing sets now/);
    expect(said).toContain('settings/geneva.json');
    expect(said).not.toMatch(/throttleRate|tracing/);
    expect(asked).toContain('GetTemplate');
    expect(asked.filter((action) => changes.has(action))).toEqual([]);
  });

  it('goes on if it states the option, also as its default', async () => {
    deployed = templateThatStates({ throttleRate: '2000', alarmEmail: 'a@example.org' });
    await deploy(templateThatStates({ throttleRate: '4000', alarmEmail: '' }));
    expect(asked).toContain('UpdateStack');
  });

  it('has nothing to drop if there is no stack yet', async () => {
    deployed = undefined;
    const folder = assemblyOf(templateThatStates({}));
    expect(await deployedOptions(folder, 'node_modules/.bin/cdk', [])).toBeUndefined();
    expect(asked).toContain('DescribeStacks');
  });
});

describe('an option is dropped', () => {
  it.each([
    ['geneva', { kind: 'prod', tracing: 'on' }, { kind: 'prod' }, ['tracing']],
    ['geneva', { kind: 'prod', tracing: 'on' }, { kind: 'prod', tracing: 'off' }, []],
    ['geneva', { kind: 'prod', throttleRate: '4000' }, { kind: 'prod' }, []],
    ['geneva', { kind: 'dev', throttleRate: '4000' }, { kind: 'dev' }, ['throttleRate']],
    ['prod', { throttleRate: '4000' }, {}, []],
    ['dev', { kind: 'prod' }, {}, ['kind']],
    ['dev', { gone: 'on' }, {}, []],
  ])('at stage %s, %j to %j: %j', (stage, before, now, names) => {
    expect(droppedOptions(stage, before, now).map(({ name }) => name)).toEqual(names);
  });
});
