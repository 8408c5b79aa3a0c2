import { CfnOutput } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

import type { DappleFunction } from './dapple-function.ts';

/** The bus for events of the catalogue. Listeners add rules of their own (docs/operations/background-work.md). */
export class CatalogBus extends EventBus {
  constructor(scope: Construct, id: string) {
    super(scope, id, { description: 'Dapple, changes of the catalogue' });
    new CfnOutput(scope, 'EventBusName', {
      value: this.eventBusName,
      description: 'Event bus for the changes of the catalogue',
    });
  }

  /** Grants a function to put events on this bus and sets its name in the environment. */
  bindTo({ lambda }: DappleFunction): void {
    Grant.addToPrincipal({ grantee: lambda, actions: ['events:PutEvents'], resourceArns: [this.eventBusArn] });
    lambda.addEnvironment('EVENT_BUS_NAME', this.eventBusName);
  }
}
