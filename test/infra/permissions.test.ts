import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';

import type { Group } from '../../lib/contract/route.ts';
import { ping } from '../../lib/contract/ping.ts';
import { resourcesOf, templateOf } from './template.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
}

interface PolicyProperties {
  readonly PolicyDocument: { Statement: Statement[] };
}

/** Statements whose resource cannot be named, as `actions on resource`, each with its reason. */
const acceptedWildcards: Record<string, string> = {
  'xray:PutTelemetryRecords, xray:PutTraceSegments on *': 'X-Ray knows no resources',
};

/** Managed policies, each with its reason. */
const acceptedManagedPolicies: Record<string, string> = {
  AmazonAPIGatewayPushToCloudWatchLogs: 'the account-wide role of API Gateway for logs; AWS keeps this policy for it',
};

const writing: Group = {
  ...ping,
  routes: { ...ping.routes, write: { ...ping.routes.ping, method: 'POST', path: '/ping/write' } },
};

describe('permissions', () => {
  const template = templateOf();

  it('name every action and every resource, or say why not', () => {
    const wildcards = statements(template).filter((statement) => JSON.stringify(statement).includes('*'));
    expect(
      new Set(wildcards.map(({ Action, Resource }) => `${[Action].flat().join(', ')} on ${text(Resource)}`)),
    ).toEqual(new Set(Object.keys(acceptedWildcards)));
  });

  it('come from no managed policy but the accepted ones', () => {
    const policies = resourcesOf<{ ManagedPolicyArns?: unknown[] }>(template, 'AWS::IAM::Role')
      .flatMap(([, role]) => role.Properties.ManagedPolicyArns ?? [])
      .map((arn) => /policy\/(?:service-role\/)?(\w+)/.exec(JSON.stringify(arn))?.[1]);
    expect(policies).toEqual(Object.keys(acceptedManagedPolicies));
  });

  it('of a group that only reads allow reading, without Scan', () => {
    expect(tableActions(templateOf({}, [ping]))).toEqual(['BatchGetItem', 'GetItem', 'Query']);
  });

  it('of a group that writes allow exactly what the code in lib sends', () => {
    const sent = [...sources().matchAll(/new (\w+)Command\(|\b(ConditionCheck): \{/g)].map(
      ([, command = '', check = '']) => actionOf[command || check],
    );
    expect(sent).not.toContain(undefined);
    expect(tableActions(templateOf({}, [writing]))).toEqual(
      [...new Set(sent.flatMap((action) => action ?? []))].toSorted(),
    );
  });
});

/** The permissions that a command of the SDK needs; those of a transaction are those of its parts. */
const actionOf: Readonly<Record<string, readonly string[]>> = {
  Get: ['GetItem'],
  BatchGet: ['BatchGetItem'],
  Query: ['Query'],
  Put: ['PutItem'],
  Update: ['UpdateItem'],
  Delete: ['DeleteItem'],
  BatchWrite: ['BatchWriteItem'],
  ConditionCheck: ['ConditionCheckItem'],
  BatchExecuteStatement: ['PartiQLInsert'],
  TransactWrite: [],
  TransactGet: [],
  GetSecretValue: [],
  PutEvents: [],
};

/** Everything that a function may be made of. */
function sources(): string {
  const lib = join(import.meta.dirname, '../../lib');
  const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files.map((file) => readFileSync(join(lib, file), 'utf8')).join('\n');
}

function statements(template: Template): Statement[] {
  return resourcesOf<PolicyProperties>(template, 'AWS::IAM::Policy').flatMap(
    ([, policy]) => policy.Properties.PolicyDocument.Statement,
  );
}

/** What the function of the first group may do with the table, in alphabetical order. */
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
  return typeof resource === 'string' ? resource : JSON.stringify(resource);
}
