import { CfnOutput, CustomResource, Duration } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

import { acceptFindings } from './accept-findings.ts';
import type { CatalogTable } from './catalog-table.ts';
import type { Config } from './config.ts';
import { DappleFunction } from './dapple-function.ts';

/** The first account: a secret with a generated password, and the function that creates the account with it. */
export class RootAccount extends DappleFunction {
  constructor(scope: Construct, id: string, { config, table }: { config: Config; table: CatalogTable }) {
    super(scope, id, {
      config,
      entry: 'make-root',
      description: 'Dapple, creates the account root when the stack is created',
      // Hashing time depends on the processor, which Lambda assigns by memory.
      memorySize: 1024,
      timeout: Duration.minutes(1),
    });
    const password = new Secret(scope, 'RootPassword', {
      description: 'First log-in of the account root of Dapple',
      generateSecretString: {
        secretStringTemplate: JSON.stringify({ username: 'root' }),
        generateStringKey: 'password',
        passwordLength: 40,
        excludePunctuation: true,
      },
      removalPolicy: config.removalPolicy,
    });
    acceptFindings(password, { SMG4: 'It is the password of a user of the catalogue, who changes it there.' });
    this.bindTable(table, 'insert');
    Grant.addToPrincipal({
      grantee: this.lambda,
      actions: ['secretsmanager:GetSecretValue'],
      resourceArns: [password.secretArn],
    });
    // The function answers CloudFormation itself. The CDK's Provider would add three functions, and a role that may invoke this one.
    new CustomResource(this, 'Account', {
      resourceType: 'Custom::RootAccount',
      serviceToken: this.lambda.functionArn,
      // Without this limit CloudFormation would wait for an hour for a function that fails to start.
      serviceTimeout: Duration.minutes(5),
      // If the stack gets another table, as after a restore, the function runs again, and adds the account if the table lacks it.
      properties: { SecretId: password.secretArn, TableName: table.tableName },
    });
    new CfnOutput(scope, 'RootSecretArn', {
      value: password.secretArn,
      description: 'Secret with username and password of the account root',
    });
  }
}
