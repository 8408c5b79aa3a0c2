import { describe, expect, it } from 'vitest';

import { everything, resourcesOf, templateOf } from './template.ts';

/**
 * The resources that hold data or whose names are known outside, under every set of options. A changed logical id means
 * another resource: CloudFormation creates an empty one and deletes or abandons the one with the data.
 */
const stateful = {
  'AWS::DynamoDB::Table': ['TableCD117FA1'],
  'AWS::SecretsManager::Secret': [
    'OidcClients2EA83F39',
    'RootPasswordB3F53FBC',
    'RseCredentials0ABF72EE',
    'TokenKeyD1D1A236',
  ],
  'AWS::ApiGateway::RestApi': ['ApiF70053CD'],
  'AWS::SQS::Queue': ['StreamConsumerDeadLetters71F628AA', 'StreamFollowUpDeadLetters9F8F5C9D'],
};

const contexts: readonly (readonly [string, Record<string, string>, 'Delete' | 'RetainExceptOnCreate'])[] = [
  ['dev', {}, 'Delete'],
  ['prod', { stage: 'prod' }, 'RetainExceptOnCreate'],
  ['dev with every option', everything, 'Delete'],
  ['prod with every option', { ...everything, stage: 'prod' }, 'RetainExceptOnCreate'],
  ['prod with as little as can be', { stage: 'prod', monitoring: 'off', tokenKeyDays: '0' }, 'RetainExceptOnCreate'],
];

describe.each(contexts)('in %s', (_name, context, policy) => {
  const template = templateOf(context);

  it.each(Object.entries(stateful))('%s keeps its logical id', (type, ids) => {
    expect(Object.keys(template.findResources(type)).toSorted()).toEqual(ids);
  });

  it('the event bus keeps its logical id', () => {
    const ids = context['eventBus'] === 'on' ? ['EventBus7B8748AA'] : [];
    expect(Object.keys(template.findResources('AWS::Events::EventBus'))).toEqual(ids);
  });

  const replaced = policy === 'Delete' ? 'Delete' : 'Retain';

  it.each(['AWS::SecretsManager::Secret', 'AWS::SQS::Queue', 'AWS::Logs::LogGroup'])(
    `%s has the policy ${policy} for the end of the stack, and ${replaced} for its replacement`,
    (type) => {
      for (const [id, resource] of resourcesOf<unknown>(template, type)) {
        expect(resource, id).toMatchObject({ DeletionPolicy: policy, UpdateReplacePolicy: replaced });
      }
    },
  );

  it(`the table has the policy ${replaced} for both, as a protected one cannot be deleted in a rollback`, () => {
    expect(resourcesOf<unknown>(template, 'AWS::DynamoDB::Table')).toMatchObject([
      ['TableCD117FA1', { DeletionPolicy: replaced, UpdateReplacePolicy: replaced }],
    ]);
  });
});

describe('the key of the table', () => {
  it('keeps its logical id, since without it the table is unreadable', () => {
    const template = templateOf({ ...everything, stage: 'prod' });
    expect(resourcesOf(template, 'AWS::KMS::Key')).toMatchObject([
      ['TableKey25666F95', { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' }],
    ]);
  });

  it('stays when another table replaces the first', () => {
    const restored = {
      restoredTable: 'Restored',
      restoredTableStreamArn: 'arn:aws:dynamodb:x:1:table/Restored/stream/2026',
    };
    expect(Object.keys(templateOf({ tableKey: 'own', ...restored }).findResources('AWS::KMS::Key'))).toEqual([
      'TableKey25666F95',
    ]);
  });
});
