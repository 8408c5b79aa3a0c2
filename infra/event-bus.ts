import { CfnOutput } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

import type { HouseFunction } from './house-function.ts';

/** The bus that the events of the catalogue go to. Who listens, adds rules of its own (docs/operations.md). */
export class CatalogBus extends EventBus {
  constructor(scope: Construct, id: string) {
    super(scope, id, { description: 'Dapple, what changes in the catalogue' });
    new CfnOutput(scope, 'EventBusName', {
      value: this.eventBusName,
      description: 'Event bus that changes are announced on',
    });
  }

  /** Lets a function put events on this bus and tells it which that is. */
  bindTo({ lambda }: HouseFunction): void {
    Grant.addToPrincipal({ grantee: lambda, actions: ['events:PutEvents'], resourceArns: [this.eventBusArn] });
    lambda.addEnvironment('EVENT_BUS_NAME', this.eventBusName);
  }
}
