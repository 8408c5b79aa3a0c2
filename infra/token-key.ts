import { Duration, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { CfnRotationSchedule, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

import type { Group, Route } from '../lib/contract/route.ts';
import { acceptFindings } from './accept-findings.ts';
import type { Config } from './config.ts';
import { DappleFunction } from './dapple-function.ts';
import { loginGroup } from './oidc-clients.ts';

/**
 * Whether the function of a group needs the key: it checks tokens, signs cursors or keys of repeats, or logs users in. Whoever took
 * such a function over could make tokens of any account.
 */
export function usesTokenKey({ name, routes }: Group): boolean {
  return (
    name === loginGroup ||
    Object.values<Route>(routes).some(
      ({ method, permission, token, pages }) =>
        method !== 'GET' || permission !== 'open' || token !== undefined || pages !== undefined,
    )
  );
}

/** The signing key of tokens, rotated on a schedule. A key has 64 random letters and digits, 380 bits. */
export class TokenKey extends Secret {
  /** The function that rotates the key, if the stack enables it. */
  readonly rotation: DappleFunction | undefined;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id, {
      description: 'Key that signs the tokens of Dapple',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: config.removalPolicy,
    });
    if (config.tokenKeyDays === 0) {
      acceptFindings(this, { SMG4: 'The operator has switched the rotation off (tokenKeyDays=0).' });
    } else {
      this.rotation = rotate(this, config);
    }
  }

  /** Grants a function to read the current and the previous key. */
  grantUse(grantee: IGrantable): void {
    Grant.addToPrincipal({ grantee, actions: ['secretsmanager:GetSecretValue'], resourceArns: [this.secretArn] });
  }
}

/** Not `addRotationSchedule`: that would add a statement on all resources that lets the function generate passwords. */
function rotate(key: TokenKey, config: Config): DappleFunction {
  const rotation = new DappleFunction(key, 'Rotation', {
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
    // The first key is as new as the stack, so it needs no rotation yet.
    rotateImmediatelyOnUpdate: false,
  });
  schedule.addResourceDependency(permission);
  return rotation;
}
