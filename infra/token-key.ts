import { Duration, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { CfnRotationSchedule, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

import { accept } from './accept.ts';
import type { Config } from './config.ts';
import { HouseFunction } from './house-function.ts';

/** The key that signs tokens: at first 64 random letters and digits, 380 bits; replaced again and again. */
export class TokenKey extends Secret {
  /** Replaces the key, where the stack has it replaced. */
  readonly rotation: HouseFunction | undefined;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id, {
      description: 'Key that signs the tokens of Dapple',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: config.removalPolicy,
    });
    if (config.tokenKeyDays === 0) {
      accept(this, { SMG4: 'The operator has switched the rotation off (tokenKeyDays=0).' });
    } else {
      this.rotation = rotate(this, config);
    }
  }

  /** Lets a function read the key as it is now and as it was before. */
  grantUse(grantee: IGrantable): void {
    Grant.addToPrincipal({ grantee, actions: ['secretsmanager:GetSecretValue'], resourceArns: [this.secretArn] });
  }
}

/** Not `addRotationSchedule`: it would let the function make passwords for everybody, by a statement on all resources. */
function rotate(key: TokenKey, config: Config): HouseFunction {
  const rotation = new HouseFunction(key, 'Rotation', {
    config,
    entry: 'rotate-token-key',
    description: 'Dapple, replaces the key that signs tokens',
    memorySize: 512,
    timeout: Duration.seconds(30),
  });
  Grant.addToPrincipal({
    grantee: rotation.lambda,
    actions: ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'].map(
      (action) => `secretsmanager:${action}`,
    ),
    resourceArns: [key.secretArn],
  });
  const permission = new CfnPermission(rotation, 'Permission', {
    action: 'lambda:InvokeFunction',
    functionName: rotation.lambda.functionArn,
    principal: 'secretsmanager.amazonaws.com',
    sourceAccount: Stack.of(key).account,
  });
  const schedule = new CfnRotationSchedule(rotation, 'Schedule', {
    secretId: key.secretArn,
    rotationLambdaArn: rotation.lambda.functionArn,
    rotationRules: { automaticallyAfterDays: config.tokenKeyDays },
    // The first key is as new as the stack.
    rotateImmediatelyOnUpdate: false,
  });
  schedule.addResourceDependency(permission);
  return rotation;
}
