import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';

import { resourcesOf, templateOf } from './template.ts';

const template = templateOf();

describe.each([
  ['BatchRecovery', 'rate(5 minutes)', 240, 'Dapple, rolls back abandoned bulk requests'],
  ['Expiry', 'rate(5 minutes)', 240, 'Dapple, deletes expired DIDs'],
  ['Work', 'rate(1 minute)', 59, 'Dapple, runs tasks that are due'],
  ['FollowOwed', 'rate(5 minutes)', 240, 'Dapple, follows what the table owes since it was loaded or restored'],
  ['MetadataIndex', 'rate(5 minutes)', 240, 'Dapple, maintains the metadata index as configured'],
  ['FreeSpace', 'rate(5 minutes)', 240, 'Dapple, deletes replicas without locks from RSEs that need space'],
])('the scheduled function %s', (id, ScheduleExpression, Timeout, Description) => {
  it('starts on its schedule', () => {
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression,
      State: 'ENABLED',
      Targets: [Match.objectLike({ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp(`^${id}`), 'Arn'] } })],
    });
  });

  it('is not retried by the platform, neither after a failure nor after a time-out', () => {
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: Match.stringLikeRegexp(`^${id}`) },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
    template.hasResourceProperties('AWS::Events::Rule', {
      Targets: [
        Match.objectLike({
          Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp(`^${id}`), 'Arn'] },
          RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
        }),
      ],
    });
  });

  it('ends before its next start, and may not read the token key', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description,
      Timeout,
      Environment: { Variables: { TOKEN_KEY_SECRET_ID: Match.absent() } },
    });
    const policies = resourcesOf<unknown>(template, 'AWS::IAM::Policy').filter(([name]) => name.startsWith(id));
    expect(policies).toHaveLength(1);
    expect(JSON.stringify(policies)).not.toContain('secretsmanager');
  });
});
