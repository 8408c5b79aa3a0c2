import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';

import type { CatalogTable } from './catalog-table.ts';
import type { Config } from './config.ts';
import { HouseFunction } from './house-function.ts';

/** What runs on a schedule. */
export interface ScheduledFunctionProps {
  readonly config: Config;
  readonly table: CatalogTable;
  /** Name of the module in functions/. */
  readonly entry: string;
  /** What it does, after `Dapple, `. */
  readonly task: string;
  /** How often it runs, in minutes; absent: every five. */
  readonly everyMinutes?: number;
}

/**
 * By itself Lambda repeats an asynchronous call twice after an error or a time-out, and EventBridge for a day one that it
 * could not hand over, beside the next of the schedule. What failed is done by that one; a call that has waited for a minute
 * is out of date.
 */
const once = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };

/** A function that runs again and again and may write to the table. */
export class ScheduledFunction extends HouseFunction {
  constructor(scope: Construct, id: string, { config, table, entry, task, everyMinutes = 5 }: ScheduledFunctionProps) {
    super(scope, id, {
      config,
      entry,
      description: `Dapple, ${task}`,
      memorySize: 512,
      // Shorter than the interval, so that a run ends before the next begins, unless the platform delivers a call twice.
      timeout: Duration.seconds(Math.min(240, everyMinutes * 60 - 1)),
      share: 2,
    });
    this.lambda.configureAsyncInvoke(once);
    this.bindTable(table, 'read-write');
    new Rule(this, 'Schedule', {
      description: `Dapple, ${task}`,
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [new LambdaFunction(this.lambda, once)],
    });
  }
}
