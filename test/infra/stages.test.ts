/** Several deployments in one account and region, each with a file of its options (docs/how-to/deploy.md, Options). */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';

import { readConfig } from '../../infra/config.ts';
import { useSettings } from '../../infra/settings.ts';
import { DappleStack } from '../../infra/stack.ts';
import { ping } from '../../lib/contract/ping.ts';
import { everything, resourcesOf, templateOf } from './template.ts';

function configOf(stage: string, settings: unknown, context: Record<string, unknown> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'));
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings);
  writeFileSync(join(folder, `${stage}.json`), text);
  const { node } = new App({ context: { stage, ...context } });
  useSettings(node, folder);
  return readConfig(node);
}

describe('the file of a stage', () => {
  it('sets options, as numbers or texts; the command line goes before it', () => {
    const settings = { kind: 'prod', throttleRate: 7, eventReaders: '8' };
    expect(configOf('geneva', settings)).toMatchObject({ kind: 'prod', throttleRate: 7, eventReaders: 8 });
    expect(configOf('geneva', settings, { throttleRate: '9' })).toMatchObject({ throttleRate: 9, eventReaders: 8 });
  });

  it.each([
    [{ kind: 'prod', alarmMail: 'a@example.org' }, 'context value alarmMail is not known'],
    [{ kind: 'prod', throttleRate: -1 }, 'context value throttleRate is -1'],
    [{ kind: 'prod', stage: 'other' }, 'is of stage other, not geneva'],
    [{ 'alarm-email': 'a@example.org' }, 'sets alarm-email, which is no option'],
    [{ kind: 'prod', reaper: true }, 'reaper is neither a text nor a number'],
    ['{', 'is not JSON'],
    [[], 'is no object'],
  ])('%j is refused: %s', (settings, message) => {
    expect(() => configOf('geneva', settings)).toThrow(message);
  });
});

describe('a stage', () => {
  it('has any name, and is protected if it is of kind prod', () => {
    const kinds = (['dev', 'prod'] as const).map((kind) => configOf('geneva', { kind }));
    expect(kinds.map(({ protectData, throttleRate }) => [protectData, throttleRate])).toEqual([
      [false, 500],
      [true, 4000],
    ]);
    expect(configOf('prod', {}).protectData).toBe(true);
  });

  it('shares no name with another one in the account and region', () => {
    const names = ['geneva', 'lyon'].map((stage) => {
      const app = new App({
        context: { ...everything, stage, kind: 'dev', 'aws:cdk:bundling-stacks': [] },
        builtinCloudFormationValidation: false,
        treeMetadata: false,
      });
      const stack = new DappleStack(app, `dapple-${stage}`, { config: readConfig(app.node), groups: [ping] });
      const resources = Template.fromStack(stack).toJSON()['Resources'] as Record<string, { Properties?: object }>;
      return Object.values(resources).flatMap(({ Properties = {} }) =>
        Object.entries(Properties).flatMap(([key, value]) =>
          /^(FunctionName|RoleName|TableName|QueueName|TopicName|AlarmName|DashboardName|LogGroupName|AliasName)$/.test(
            key,
          ) && typeof value === 'string'
            ? [value]
            : [],
        ),
      );
    });
    expect(names[0]?.length).toBeGreaterThan(20);
    expect(names[0]?.filter((name) => names[1]?.includes(name))).toEqual([]);
  });

  it('has its tags on every kind of resource that is billed', () => {
    const template = templateOf(everything);
    for (const type of [
      'DynamoDB::Table',
      'Lambda::Function',
      'SecretsManager::Secret',
      'SQS::Queue',
      'Logs::LogGroup',
    ]) {
      const found = resourcesOf<{ Tags?: unknown }>(template, `AWS::${type}`);
      expect(found.length, type).toBeGreaterThan(0);
      for (const [id, { Properties }] of found) {
        expect(Properties.Tags, id).toEqual(
          expect.arrayContaining([
            { Key: 'team', Value: 'data' },
            { Key: 'cost-centre', Value: '4711' },
          ]),
        );
      }
    }
  });

  it('sends alarms to a topic of the operator, beside the address', () => {
    const { alarmTopicArn } = everything;
    const alarms = resourcesOf<{ AlarmActions: unknown[] }>(templateOf({ alarmTopicArn }), 'AWS::CloudWatch::Alarm');
    expect(alarms.length).toBeGreaterThan(5);
    for (const [, { Properties }] of alarms) expect(Properties.AlarmActions).toEqual([alarmTopicArn]);
    templateOf({ alarmTopicArn }).resourceCountIs('AWS::SNS::Topic', 0);
  });
});
