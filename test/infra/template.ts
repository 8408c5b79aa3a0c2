import { App, type AppProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';

import cdkJson from '../../cdk.json' with { type: 'json' };
import { readConfig } from '../../infra/config.ts';
import { DappleStack } from '../../infra/stack.ts';
import { groups as contractGroups } from '../../lib/contract/index.ts';
import { ping } from '../../lib/contract/ping.ts';
import type { Group } from '../../lib/contract/route.ts';

/** A resource of the template; `P` names the properties that a test reads. */
export interface Resource<P> {
  readonly Properties: P;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/**
 * The app with the context of cdk.json. It skips bundling and the CDK's own validation, which is slow; `npm run synth`
 * does both.
 */
export function buildApp(context: AppProps['context'] = {}, groups: readonly Group[] = contractGroups) {
  const app = new App({
    context: { ...cdkJson.context, 'aws:cdk:bundling-stacks': [], ...context },
    builtinCloudFormationValidation: false,
    treeMetadata: false,
  });
  return { app, stack: new DappleStack(app, 'test', { config: readConfig(app.node), groups }) };
}

const templates = new Map<string, Template>();

/** The template of the stack in a context; cached. */
export function templateOf(context: AppProps['context'] = {}, groups?: readonly Group[]): Template {
  const key = JSON.stringify([context, groups?.map(({ name, routes }) => [name, Object.keys(routes)])]);
  const known = templates.get(key);
  if (known !== undefined) return known;
  const template = Template.fromStack(buildApp(context, groups).stack);
  templates.set(key, template);
  return template;
}

/** The template with one group of routes alone, which is made in a third of the time: for what depends on no route. */
export const smallTemplateOf = (context: AppProps['context']): Template => templateOf(context, [ping]);

/** Options that cannot be together with the others, or only change a number. */
export const leftOut = ['stage', 'kind', 'webAclArn', 'restoredTable', 'restoredTableStreamArn', 'gatewayLogging'];

/** A context that sets every other option to the value with the most resources. */
export const everything = {
  responseMode: 'stream',
  emptyStreams: 'fill',
  compression: 'on',
  streamMark: 'on',
  policy: 'cms',
  browser: 'on',
  throttleRate: '1000',
  throttleBurst: '1000',
  eventReaders: '10',
  reservedConcurrency: 'on',
  tableReadLimit: '1000',
  tableWriteLimit: '1000',
  warmWrites: '8000',
  reaper: 'on',
  movers: 'on',
  streams: 'on',
  logDays: '30',
  logLevel: 'info',
  tokenKeyDays: '30',
  monitoring: 'all',
  tracing: 'on',
  eventBus: 'on',
  requestMetrics: 'on',
  basePath: '/rucio',
  webAclRate: '10000',
  mtlsCertificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/22222222-2222-2222-2222-222222222222',
  oidcIssuers: 'https://iam.example.org/ https://login.example.org/#dapple',
  corsOrigins: 'https://ui.example.org http://localhost:3000',
  tableKey: 'own',
  alarmEmail: 'operator@example.org',
  alarmTopicArn: 'arn:aws:sns:eu-central-1:111122223333:operators',
  tags: 'team=data cost-centre=4711',
  domainName: 'rucio.example.org',
  certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/11111111-1111-1111-1111-111111111111',
  hostedZoneId: 'Z0123456789ABC',
  mtlsDomainName: 'auth.example.org',
  truststoreUri: 's3://trust/authorities/ca.pem',
  webAcl: 'on',
};

/** Every resource of a type by logical id. */
export function resourcesOf<P>(template: Template, type: string): [id: string, resource: Resource<P>][] {
  return Object.entries(template.findResources(type)) as [string, Resource<P>][];
}

/** A statement of a policy. */
export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: unknown;
  readonly Principal?: unknown;
  readonly Condition?: unknown;
}

/** The statements of all policies of roles. */
export function statementsOf(template: Template): Statement[] {
  return resourcesOf<{ PolicyDocument: { Statement: Statement[] } }>(template, 'AWS::IAM::Policy').flatMap(
    ([, policy]) => policy.Properties.PolicyDocument.Statement,
  );
}
