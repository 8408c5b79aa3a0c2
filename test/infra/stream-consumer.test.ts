import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';

import { resourcesOf, templateOf } from './template.ts';

const template = templateOf({ eventBus: 'on', tracing: 'on' });
const id = /^StreamConsumer/;
const streamArn = { 'Fn::GetAtt': [expect.stringMatching(/^Table/), 'StreamArn'] };

/** The filter of records whose keys begin in one of some ways. */
function patternOf(beginnings: Readonly<Record<string, readonly string[]>>): string {
  const parts = Object.entries(beginnings).map(([part, some]) => [part, { S: some.map((prefix) => ({ prefix })) }]);
  return JSON.stringify({ dynamodb: { Keys: Object.fromEntries(parts) } });
}

describe('the stream consumer', () => {
  it('gets the records of what it delivers in order, in batches of a second, and failed ones again', () => {
    const mappings = resourcesOf<object>(template, 'AWS::Lambda::EventSourceMapping');
    const [[, mapping] = [], ...others] = mappings.filter(([name]) => id.test(name));
    expect(others).toEqual([]);
    expect(mapping?.Properties).toEqual({
      FunctionName: { Ref: expect.stringMatching(id) },
      EventSourceArn: streamArn,
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 1000,
      MaximumBatchingWindowInSeconds: 1,
      ParallelizationFactor: 1,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: 100,
      MaximumRecordAgeInSeconds: 43_200,
      DestinationConfig: {
        OnFailure: { Destination: { 'Fn::GetAtt': [expect.stringMatching(/^StreamConsumerDeadLetters/), 'Arn'] } },
      },
      FilterCriteria: {
        Filters: [
          { Pattern: patternOf({ PK: ['S#', 'TRANSFERS#', 'SCOPES', 'SUBSCRIPTIONS', 'WORK#'] }) },
          {
            Pattern: patternOf({
              PK: ['D#', 'RULE#', 'A#', 'RSES', 'R#'],
              SK: ['CHILD#', 'LOCK#', 'RULE', 'ACCOUNT', 'RSE#', 'USAGE#'],
            }),
          },
        ],
      },
    });
  });

  it('has time for a batch, and may not read the token key', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: 'Dapple, runs the reactions to changes of the table',
      MemorySize: 1024,
      Timeout: 300,
      Environment: {
        Variables: {
          EVENT_BUS_NAME: { Ref: Match.stringLikeRegexp('^EventBus') },
          TOKEN_KEY_SECRET_ID: Match.absent(),
        },
      },
    });
  });

  it('may read this stream, write to the table, to the event bus and to its dead-letter queue, and nothing else', () => {
    const statements = resourcesOf<{
      PolicyDocument: { Statement: { Action: string | string[]; Resource: unknown }[] };
    }>(template, 'AWS::IAM::Policy')
      .filter(([name]) => id.test(name))
      .flatMap(([, policy]) => policy.Properties.PolicyDocument.Statement);
    const streams = statements.filter(({ Action }) => Action.includes('dynamodb:GetRecords'));
    expect(streams).toEqual([
      {
        Action: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((name) => `dynamodb:${name}`),
        Effect: 'Allow',
        Resource: streamArn,
      },
    ]);
    const services = new Set(statements.flatMap(({ Action }) => Action).map((action) => action.split(':')[0]));
    expect(services).toEqual(new Set(['dynamodb', 'events', 'logs', 'sqs', 'xray']));
    const announcing = statements.filter(({ Action }) =>
      [Action].flat().some((action) => action.startsWith('events:')),
    );
    const bus = { 'Fn::GetAtt': [expect.stringMatching(/^EventBus/), 'Arn'] };
    expect(announcing).toEqual([{ Action: 'events:PutEvents', Effect: 'Allow', Resource: bus }]);
  });
});

describe('the follow-up consumer', () => {
  it('gets only records of lengthy work, so that nothing else waits for it', () => {
    const mappings = resourcesOf<object>(template, 'AWS::Lambda::EventSourceMapping').map(
      ([, { Properties }]) => Properties as Record<string, unknown>,
    );
    const isFollowUp = (mapping: Record<string, unknown>) => JSON.stringify(mapping).includes('StreamFollowUp');
    const followUp = mappings.find(isFollowUp);
    const consumer = mappings.find((mapping) => !isFollowUp(mapping));
    // Apart from the filter both consumers are configured alike: failed batches are halved, dropped records named.
    expect(followUp).toEqual({
      ...consumer,
      FunctionName: { Ref: expect.stringMatching(/^StreamFollowUpFunction/) },
      DestinationConfig: {
        OnFailure: { Destination: { 'Fn::GetAtt': [expect.stringMatching(/^StreamFollowUpDeadLetters/), 'Arn'] } },
      },
      FilterCriteria: {
        Filters: [
          { Pattern: '{"dynamodb":{"Keys":{"PK":{"S":[{"prefix":"WORK#"}]}}}}' },
          {
            Pattern:
              '{"dynamodb":{"Keys":{"PK":{"S":[{"prefix":"S#"}]}},"NewImage":{"type":{"S":["DATASET","CONTAINER"]}}}}',
          },
        ],
      },
    });
  });
});

describe('the dead-letter queue', () => {
  it('is encrypted, keeps two weeks, and rejects senders without TLS', () => {
    template.resourceCountIs('AWS::SQS::Queue', 2);
    template.hasResourceProperties('AWS::SQS::Queue', {
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 1_209_600,
    });
    template.hasResourceProperties('AWS::SQS::QueuePolicy', {
      PolicyDocument: {
        Statement: [
          Match.objectLike({
            Effect: 'Deny',
            Action: 'sqs:*',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ],
      },
    });
  });
});
