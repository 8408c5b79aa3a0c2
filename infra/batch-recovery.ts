import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';

import type { CatalogTable } from './catalog-table.ts';
import type { Config } from './config.ts';
import { HouseFunction } from './house-function.ts';

/** Rolls back, every five minutes, the bulk requests whose function died before it could commit or abort them. */
export class BatchRecovery extends HouseFunction {
  constructor(scope: Construct, id: string, { config, table }: { config: Config; table: CatalogTable }) {
    super(scope, id, {
      config,
      entry: 'recover-batches',
      description: 'Dapple, rolls back abandoned bulk requests',
      memorySize: 512,
      // Shorter than the interval, so that two runs never meet.
      timeout: Duration.minutes(4),
    });
    this.bindTable(table, 'read-write');
    new Rule(this, 'Schedule', {
      description: 'Starts the roll-back of abandoned bulk requests',
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new LambdaFunction(this.lambda)],
    });
  }
}
