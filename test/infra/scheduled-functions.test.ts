import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';

import { resourcesOf, templateOf } from './template.ts';

const template = templateOf();

describe.each([
  ['BatchRecovery', 'Dapple, clears away what abandoned bulk requests left behind'],
  ['Expiry', 'Dapple, deletes DIDs whose lifetime is over'],
  ['MetadataIndex', 'Dapple, keeps the index of metadata as the configuration says'],
])('the scheduled function %s', (id, Description) => {
  it('starts every five minutes', () => {
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(5 minutes)',
      State: 'ENABLED',
      Targets: [{ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp(`^${id}`), 'Arn'] } }],
    });
  });

  it('ends before it starts again, and may not read the key that signs tokens', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description,
      Timeout: 240,
      Environment: { Variables: { TOKEN_KEY_SECRET_ID: Match.absent() } },
    });
    const policies = resourcesOf<unknown>(template, 'AWS::IAM::Policy').filter(([name]) => name.startsWith(id));
    expect(policies).toHaveLength(1);
    expect(JSON.stringify(policies)).not.toContain('secretsmanager');
  });
});
