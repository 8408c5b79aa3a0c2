import { CfnOutput, CustomResource, Duration } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

import { accept } from './accept.ts';
import type { CatalogTable } from './catalog-table.ts';
import type { Config } from './config.ts';
import { HouseFunction } from './house-function.ts';

/** The first account: a password that nobody has chosen, in a secret, and the function that makes the account with it. */
export class RootAccount extends HouseFunction {
  constructor(scope: Construct, id: string, { config, table }: { config: Config; table: CatalogTable }) {
    super(scope, id, {
      config,
      entry: 'make-root',
      description: 'Dapple, makes the account root when the stack is made',
      // A password takes as long to hash as the processor that comes with the memory.
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
    accept(password, { SMG4: 'It is the password of a user of the catalogue, who changes it there.' });
    this.bindTable(table, 'insert');
    Grant.addToPrincipal({
      grantee: this.lambda,
      actions: ['secretsmanager:GetSecretValue'],
      resourceArns: [password.secretArn],
    });
    // Not a Provider: it would add three functions, with a role that may call every version of ours.
    new CustomResource(this, 'Account', {
      resourceType: 'Custom::RootAccount',
      serviceToken: this.lambda.functionArn,
      // CloudFormation would wait for an hour for a function that cannot even start.
      serviceTimeout: Duration.minutes(5),
      // Another table, as after a restore, gets its account, unless it has one.
      properties: { SecretId: password.secretArn, TableName: table.tableName },
    });
    new CfnOutput(scope, 'RootSecretArn', {
      value: password.secretArn,
      description: 'Secret with username and password of the account root',
    });
  }
}
