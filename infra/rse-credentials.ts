import { SecretValue } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

import { acceptFindings } from './accept-findings.ts';
import type { Config } from './config.ts';

/** The groups whose functions sign URLs. */
export const signingGroups: ReadonlySet<string> = new Set(['credentials', 'replicas']);

/** The credentials of RSEs, with which URLs are signed. The operator sets them; an update of the stack keeps them. */
export class RseCredentialsSecret extends Secret {
  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id, {
      description: 'Credentials of RSEs whose URLs Dapple signs, as JSON by the name of the RSE',
      secretStringValue: SecretValue.unsafePlainText('{}'),
      removalPolicy: config.removalPolicy,
    });
    acceptFindings(this, { SMG4: 'The storage sites issue these keys, so the stack cannot replace them.' });
  }

  /** Grants a function to read the credentials. */
  grantUse(grantee: IGrantable): void {
    Grant.addToPrincipal({ grantee, actions: ['secretsmanager:GetSecretValue'], resourceArns: [this.secretArn] });
  }
}
