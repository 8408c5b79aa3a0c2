import { SecretValue } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

import { acceptFindings } from './accept-findings.ts';
import type { Config } from './config.ts';

/** The group whose function logs users in at OpenID providers. */
export const loginGroup = 'auth';

/** The registrations at OpenID providers. The operator sets them; an update of the stack keeps them. */
export class OidcClientsSecret extends Secret {
  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id, {
      description: 'Registrations of Dapple at OpenID providers, as JSON by their ids',
      secretStringValue: SecretValue.unsafePlainText('{}'),
      removalPolicy: config.removalPolicy,
    });
    acceptFindings(this, { SMG4: 'The providers issue these secrets, so the stack cannot replace them.' });
  }

  /** Grants a function to read the registrations. */
  grantUse(grantee: IGrantable): void {
    Grant.addToPrincipal({ grantee, actions: ['secretsmanager:GetSecretValue'], resourceArns: [this.secretArn] });
  }
}
