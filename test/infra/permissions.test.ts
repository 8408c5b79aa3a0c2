import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';

import { groups } from '../../lib/contract/index.ts';
import { ping } from '../../lib/contract/ping.ts';
import type { Group, Route } from '../../lib/contract/route.ts';
import { everything, resourcesOf, type Statement, templateOf } from './template.ts';

interface PolicyProperties {
  readonly PolicyDocument: { readonly Statement: readonly Statement[] };
}

/**
 * Accepted statements with a wildcard, of roles and resources, each with its reason: `who: effect actions on resource`.
 */
const acceptedWildcards: Record<string, string> = {
  'AWS::IAM::Policy: Allow xray:PutTelemetryRecords, xray:PutTraceSegments on *': 'X-Ray knows no resources',
  'AWS::SQS::QueuePolicy: Deny sqs:* on the queue': 'it forbids, to whoever does not encrypt',
  'AWS::SNS::TopicPolicy: Deny sns:Publish on the topic': 'it forbids, to whoever does not encrypt',
  'AWS::KMS::Key: Allow kms:* on *':
    'the policy of a key speaks of this key alone, and leaves it to the account who may use it',
};

/** Accepted managed policies, each with its reason. */
const acceptedManagedPolicies: Record<string, string> = {
  AmazonAPIGatewayPushToCloudWatchLogs: 'the account-wide role of API Gateway for logs; AWS keeps this policy for it',
};

const writing: Group = {
  ...ping,
  routes: { ...ping.routes, write: { ...ping.routes.ping, method: 'POST', path: '/ping/write' } },
};

describe('permissions', () => {
  const template = templateOf();

  it('name every action and every resource, except for accepted wildcards', () => {
    const wildcards = [template, templateOf({ ...everything, stage: 'prod' })].flatMap(wildcardsOf);
    expect(new Set(wildcards)).toEqual(new Set(Object.keys(acceptedWildcards)));
  });

  it('to call functions of the API are granted to this API alone', () => {
    const callers = resourcesOf<{ Principal: string; SourceArn?: unknown }>(template, 'AWS::Lambda::Permission')
      .filter(([, { Properties }]) => Properties.Principal === 'apigateway.amazonaws.com')
      .map(([, { Properties }]) => JSON.stringify(Properties.SourceArn));
    expect(callers.length).toBeGreaterThan(20);
    // The wildcards are stage, method and path: functions answer unknown ones with 404 and 405.
    for (const caller of callers) expect(caller).toMatch(/:execute-api:.*\{"Ref":"ApiF70053CD"\},"\/\*(\/\*)*"/);
  });

  it('of the function that creates the first account allow adding items, not changing them', () => {
    const policies = resourcesOf<PolicyProperties>(template, 'AWS::IAM::Policy').filter(([id]) =>
      id.startsWith('RootAccount'),
    );
    const actions = policies
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
      .flatMap(({ Action }) => Action);
    expect(actions.filter((action) => !/^(logs|xray):/.test(action)).toSorted()).toEqual([
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'secretsmanager:GetSecretValue',
    ]);
  });

  it('come from accepted managed policies only', () => {
    const policies = resourcesOf<{ ManagedPolicyArns?: unknown[] }>(template, 'AWS::IAM::Role')
      .flatMap(([, role]) => role.Properties.ManagedPolicyArns ?? [])
      .map((arn) => /policy\/(?:service-role\/)?(\w+)/.exec(JSON.stringify(arn))?.[1]);
    expect(policies).toEqual(Object.keys(acceptedManagedPolicies));
  });

  it('of a group that only reads allow reading, without Scan', () => {
    expect(tableActions(templateOf({}, [ping]))).toEqual(['BatchGetItem', 'GetItem', 'Query']);
  });

  it('to change the table are granted to a group exactly if one of its routes writes', () => {
    const mayWrite = resourcesOf<PolicyProperties>(template, 'AWS::IAM::Policy')
      .filter(
        ([id, { Properties }]) =>
          id.startsWith('group') && /dynamodb:(Put|Update|Delete|PartiQL)/.test(JSON.stringify(Properties)),
      )
      .map(([id]) => id.replace(/^group(\w+)FunctionRole.*|^group(\w+)Role.*/, '$1$2'));
    const expected = groups.filter(({ routes }) =>
      Object.values<Route>(routes).some(({ method, writes }) => method !== 'GET' || writes === true),
    );
    expect(mayWrite.toSorted()).toEqual(expected.map(({ name }) => name.replaceAll('-', '')).toSorted());
    expect(mayWrite.length).toBeLessThan(groups.length);
  });

  it('of the group of events allow to change nothing but the counts of readers', () => {
    const mayWrite = resourcesOf<PolicyProperties>(template, 'AWS::IAM::Policy')
      .filter(([id]) => id.startsWith('groupevents'))
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
      .filter(({ Action }) => /dynamodb:(Put|Update|Delete|PartiQL)/.test(JSON.stringify(Action)));
    expect(mayWrite).toMatchObject([
      {
        Action: 'dynamodb:UpdateItem',
        Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['EVENTREADERS'] } },
      },
    ]);
  });

  it('of a group that writes allow exactly the commands that the code in lib sends', () => {
    const sent = [...sources().matchAll(/new (\w+)Command\(|\b(ConditionCheck): \{/g)].map(
      ([, command = '', check = '']) => actionOf[command || check],
    );
    expect(sent).not.toContain(undefined);
    expect(tableActions(templateOf({}, [writing]))).toEqual(
      [...new Set(sent.flatMap((action) => action ?? []))].toSorted(),
    );
  });
});

/** The permissions that a command of the SDK needs; a transaction needs those of its parts. */
const actionOf: Readonly<Record<string, readonly string[]>> = {
  Get: ['GetItem'],
  BatchGet: ['BatchGetItem'],
  Query: ['Query'],
  Put: ['PutItem'],
  Update: ['UpdateItem'],
  Delete: ['DeleteItem'],
  BatchWrite: ['BatchWriteItem'],
  ConditionCheck: ['ConditionCheckItem'],
  BatchExecuteStatement: ['PartiQLDelete', 'PartiQLInsert', 'PartiQLUpdate'],
  TransactWrite: [],
  TransactGet: [],
  GetSecretValue: [],
  DescribeSecret: [],
  PutSecretValue: [],
  UpdateSecretVersionStage: [],
  PutEvents: [],
};

/** All source text that may end up in a function: not what only the programs in `moving` import. */
function sources(): string {
  const lib = join(import.meta.dirname, '../../lib');
  const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('store/portable/'),
  );
  return files.map((file) => readFileSync(join(lib, file), 'utf8')).join('\n');
}

/** Every statement with a wildcard in any policy of the template, in the notation of the list above. */
function wildcardsOf(template: Template): string[] {
  const resources = template.toJSON()['Resources'] as Record<string, { Type: string; Properties?: unknown }>;
  return Object.values(resources).flatMap(({ Type, Properties }) =>
    [...statementsIn(Properties)]
      .filter((statement) => JSON.stringify(statement).includes('*'))
      .map(({ Effect, Action, Resource }) => `${Type}: ${Effect} ${[Action].flat().join(', ')} on ${text(Resource)}`),
  );
}

/** The statements of policies at any depth of a resource. */
function* statementsIn(value: unknown): Generator<Statement> {
  if (typeof value !== 'object' || value === null) return;
  if ('Effect' in value && 'Action' in value) yield value as Statement;
  else for (const member of Object.values(value)) yield* statementsIn(member);
}

/** The table permissions of the first group's function, in alphabetical order. */
function tableActions(template: Template): string[] {
  const [, policy] =
    resourcesOf<PolicyProperties>(template, 'AWS::IAM::Policy').find(([id]) => id.startsWith('group')) ?? [];
  const actions = (policy?.Properties.PolicyDocument.Statement ?? [])
    .flatMap(({ Action }) => Action)
    .filter((action) => action.startsWith('dynamodb:'))
    .map((action) => action.replace('dynamodb:', ''));
  return [...new Set(actions)].toSorted();
}

function text(resource: unknown): string {
  if (typeof resource === 'string') return resource;
  const json = JSON.stringify(resource);
  if (json.includes('DeadLetters')) return 'the queue';
  return json.includes('Topic') ? 'the topic' : json;
}
