import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';

import type { CatalogTable } from './catalog-table.ts';
import type { Config } from './config.ts';
import { DappleFunction } from './dapple-function.ts';
import type { RseCredentialsSecret } from './rse-credentials.ts';

/** The properties of a scheduled function. */
export interface ScheduledFunctionProps {
  readonly config: Config;
  readonly table: CatalogTable;
  /** Name of the module in functions/. */
  readonly entry: string;
  /** Its task, for the description after `Dapple, `. */
  readonly task: string;
  /** Interval in minutes; the default is five. */
  readonly everyMinutes?: number;
  /** How long a run may take, if runs may overlap; by default it ends before the next one begins. */
  readonly timeoutMinutes?: number;
  /** Its memory, and by that its share of a processor; the default is 512. */
  readonly memoryMegabytes?: number;
  /** The credentials of RSEs, if it uses their storage. */
  readonly rseCredentials?: RseCredentialsSecret;
  /** Its variables beside those of every function. */
  readonly environment?: (config: Config) => Readonly<Record<string, string>>;
}

/**
 * No retries: by default Lambda retries an asynchronous call twice after an error or time-out, and EventBridge retries
 * an undelivered call for a day. Here the next scheduled run repeats failed work, and a call that waited for a minute
 * is obsolete.
 */
const withoutRetries = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };

/** A function that runs on a schedule and may write to the table. */
export class ScheduledFunction extends DappleFunction {
  constructor(
    scope: Construct,
    id: string,
    {
      config,
      table,
      entry,
      task,
      everyMinutes = 5,
      timeoutMinutes,
      memoryMegabytes = 512,
      environment,
      rseCredentials,
    }: ScheduledFunctionProps,
  ) {
    super(scope, id, {
      config,
      entry,
      description: `Dapple, ${task}`,
      memorySize: memoryMegabytes,
      // Shorter than the interval, so that runs do not overlap unless the platform delivers a call twice.
      timeout: Duration.seconds(
        timeoutMinutes === undefined ? Math.min(240, everyMinutes * 60 - 1) : timeoutMinutes * 60,
      ),
      share: Math.max(2, Math.ceil((timeoutMinutes ?? 0) / everyMinutes)),
      environment: {
        ...environment?.(config),
        ...(rseCredentials === undefined ? {} : { RSE_CREDENTIALS_SECRET_ID: rseCredentials.secretArn }),
      },
    });
    this.lambda.configureAsyncInvoke(withoutRetries);
    this.bindTable(table, 'read-write');
    rseCredentials?.grantUse(this.lambda);
    new Rule(this, 'Schedule', {
      description: `Dapple, ${task}`,
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [new LambdaFunction(this.lambda, withoutRetries)],
    });
  }
}
