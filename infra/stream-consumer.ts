import { CfnOutput, Duration } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

import { accept } from './accept.ts';
import type { CatalogTable } from './catalog-table.ts';
import type { Config } from './config.ts';
import type { CatalogBus } from './event-bus.ts';
import { HouseFunction } from './house-function.ts';
import type { StreamFilter } from './stream-filter.ts';

/** Whose stream is followed, and by what. */
export interface StreamConsumerProps {
  readonly config: Config;
  readonly table: CatalogTable;
  /** Name of the module in functions/. */
  readonly entry: string;
  /** What it does, after `Dapple, `. */
  readonly task: string;
  /** Where it tells what has changed, if it does. */
  readonly bus?: CatalogBus;
  /** Only these records, in the form of Lambda's event filters; absent: all. */
  readonly filters?: readonly StreamFilter[];
}

/**
 * A function that follows the stream of the table. Records that it cannot follow are named in a dead-letter queue
 * (docs/operations.md).
 */
export class StreamConsumer extends HouseFunction {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { config, table, entry, task, bus, filters }: StreamConsumerProps) {
    super(scope, id, {
      config,
      entry,
      description: `Dapple, ${task}`,
      memorySize: 1024,
      timeout: Duration.minutes(5),
      // One for each shard of the stream, which has about as many as the table has partitions.
      share: 30,
    });
    this.bindTable(table, 'read-write');
    bus?.bindTo(this);
    const eventSourceArn = table.streamArn;
    // Not `grantStreamRead`: it would let the function list the streams of all tables.
    Grant.addToPrincipal({
      grantee: this.lambda,
      actions: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
        (action) => `dynamodb:${action}`,
      ),
      resourceArns: [eventSourceArn],
    });
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      removalPolicy: config.removalPolicy,
    });
    accept(this.deadLetters, { SQS3: 'This is the dead-letter queue.' });
    new EventSourceMapping(this, 'Stream', {
      target: this.lambda,
      eventSourceArn,
      // Nothing is left out that was written before the function was there.
      startingPosition: StartingPosition.TRIM_HORIZON,
      // A second gathers what belongs together: the usage of an RSE is folded once for all that it got meanwhile.
      batchSize: 1000,
      maxBatchingWindow: Duration.seconds(1),
      parallelizationFactor: 1,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      // An undecided bulk request is waited for, ten seconds at each attempt, longer than any can take.
      retryAttempts: 100,
      maxRecordAge: Duration.hours(12),
      onFailure: new SqsDlq(this.deadLetters),
      ...(filters === undefined ? {} : { filters: filters.map((filter) => FilterCriteria.filter(filter)) }),
    });
    new CfnOutput(this, 'DeadLetterQueue', {
      value: this.deadLetters.queueUrl,
      description: 'Names the changes of the table that could not be followed',
    });
  }
}
