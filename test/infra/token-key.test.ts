import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';

import { resourcesOf, type Statement, templateOf } from './template.ts';

const template = templateOf();
const secret = { Ref: Match.stringLikeRegexp('^TokenKey') };
const rotation = { 'Fn::GetAtt': [Match.stringLikeRegexp('^TokenKeyRotationFunction'), 'Arn'] };

/** The permissions of a function, except for logs and traces. */
const statementsFor = (id: RegExp) =>
  resourcesOf<{ PolicyDocument: { Statement: Statement[] } }>(template, 'AWS::IAM::Policy')
    .filter(([name]) => id.test(name))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
    .filter(({ Action }) => !/"(logs|xray):/.test(JSON.stringify(Action)));

describe('the key of tokens', () => {
  it('is generated: 64 letters and digits', () => {
    template.hasResourceProperties('AWS::SecretsManager::Secret', {
      GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
    });
  });

  it('is rotated every 90 days, by a function that only Secrets Manager of this account can call', () => {
    template.hasResourceProperties('AWS::SecretsManager::RotationSchedule', {
      SecretId: secret,
      RotationLambdaARN: rotation,
      RotationRules: { AutomaticallyAfterDays: 90 },
      RotateImmediatelyOnUpdate: false,
    });
    template.hasResourceProperties('AWS::Lambda::Permission', {
      Principal: 'secretsmanager.amazonaws.com',
      FunctionName: rotation,
      SourceAccount: { Ref: 'AWS::AccountId' },
    });
  });

  it('is rotated as often as the context says; 0 disables rotation and its function', () => {
    templateOf({ tokenKeyDays: '30' }).hasResourceProperties('AWS::SecretsManager::RotationSchedule', {
      RotationRules: { AutomaticallyAfterDays: 30 },
    });
    const never = templateOf({ tokenKeyDays: '0' });
    never.resourceCountIs('AWS::SecretsManager::RotationSchedule', 0);
    never.resourcePropertiesCountIs('AWS::Lambda::Function', { Description: Match.stringLikeRegexp('replaces') }, 0);
  });

  it('can be rotated by that function, which may do nothing else, and read by those that serve requests', () => {
    expect(statementsFor(/^TokenKeyRotation/)).toEqual([
      {
        Effect: 'Allow',
        Action: ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'].map(
          (name) => `secretsmanager:${name}`,
        ),
        Resource: { Ref: expect.stringMatching(/^TokenKey/) },
      },
    ]);
    expect(
      statementsFor(/^groupping/).filter(({ Action }) => JSON.stringify(Action).includes('secretsmanager')),
    ).toEqual([
      {
        Effect: 'Allow',
        Action: 'secretsmanager:GetSecretValue',
        Resource: { Ref: expect.stringMatching(/^TokenKey/) },
      },
    ]);
  });
});

describe('the first account', () => {
  it('gets a password of 40 letters and digits that appears in no template', () => {
    template.hasResourceProperties('AWS::SecretsManager::Secret', {
      GenerateSecretString: {
        SecretStringTemplate: '{"username":"root"}',
        GenerateStringKey: 'password',
        PasswordLength: 40,
        ExcludePunctuation: true,
      },
    });
    template.hasOutput('RootSecretArn', { Value: { Ref: Match.stringLikeRegexp('^RootPassword') } });
  });

  it("is created by a function that knows the secret's id, and fails the deployment after five minutes", () => {
    template.hasResourceProperties('Custom::RootAccount', {
      ServiceToken: { 'Fn::GetAtt': [Match.stringLikeRegexp('^RootAccountFunction'), 'Arn'] },
      ServiceTimeout: '300',
      SecretId: { Ref: Match.stringLikeRegexp('^RootPassword') },
      TableName: { Ref: Match.stringLikeRegexp('^Table') },
    });
  });
});
