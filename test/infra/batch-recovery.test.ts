import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';

import { resourcesOf, templateOf } from './template.ts';

const template = templateOf();

describe('the roll-back of abandoned bulk requests', () => {
  it('starts every five minutes', () => {
    template.resourceCountIs('AWS::Events::Rule', 1);
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(5 minutes)',
      State: 'ENABLED',
      Targets: [{ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^BatchRecovery'), 'Arn'] } }],
    });
  });

  it('ends before it starts again, and may not read the key that signs tokens', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: 'Dapple, rolls back abandoned bulk requests',
      Timeout: 240,
      Environment: { Variables: { TOKEN_KEY_SECRET_ID: Match.absent() } },
    });
    const policies = resourcesOf<unknown>(template, 'AWS::IAM::Policy').filter(([id]) =>
      id.startsWith('BatchRecovery'),
    );
    expect(policies).toHaveLength(1);
    expect(JSON.stringify(policies)).not.toContain('secretsmanager');
  });
});
