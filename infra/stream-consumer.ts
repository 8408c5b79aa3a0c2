import { CfnOutput, Duration } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

import { acceptFindings } from './accept-findings.ts';
import type { CatalogTable } from './catalog-table.ts';
import type { Config } from './config.ts';
import { DappleFunction } from './dapple-function.ts';
import type { CatalogBus } from './event-bus.ts';
import type { StreamFilter } from './stream-filter.ts';

/** The properties of a stream consumer. */
export interface StreamConsumerProps {
  readonly config: Config;
  readonly table: CatalogTable;
  /** Name of the module in functions/. */
  readonly entry: string;
  /** Its task, for the description after `Dapple, `. */
  readonly task: string;
  /** The bus for its events, if it publishes any. */
  readonly bus?: CatalogBus;
  /** Selects records, in the form of Lambda's event filters: one of them must match. */
  readonly filters: readonly StreamFilter[];
}

/**
 * A function that consumes the table's stream. Records that it cannot process are named in a dead-letter queue
 * (docs/operations/background-work.md).
 */
export class StreamConsumer extends DappleFunction {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { config, table, entry, task, bus, filters }: StreamConsumerProps) {
    super(scope, id, {
      config,
      entry,
      description: `Dapple, ${task}`,
      memorySize: 1024,
      timeout: Duration.minutes(5),
      // One for each shard of the stream; there are about as many as partitions of the table.
      share: 30,
    });
    this.bindTable(table, 'read-write');
    bus?.bindTo(this);
    const eventSourceArn = table.streamArn;
    // Not `grantStreamRead`: that would let the function list the streams of all tables.
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
    acceptFindings(this.deadLetters, { SQS3: 'This is the dead-letter queue.' });
    new EventSourceMapping(this, 'Stream', {
      target: this.lambda,
      eventSourceArn,
      // Starts with records from before the function existed.
      startingPosition: StartingPosition.TRIM_HORIZON,
      // One second batches related records: the usage of an RSE is folded once for all of them.
      batchSize: 1000,
      maxBatchingWindow: Duration.seconds(1),
      parallelizationFactor: 1,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      // An undecided bulk request delays its records; each attempt waits ten seconds, together longer than any bulk
      // request takes.
      retryAttempts: 100,
      maxRecordAge: Duration.hours(12),
      onFailure: new SqsDlq(this.deadLetters),
      filters: filters.map((filter) => FilterCriteria.filter(filter)),
    });
    new CfnOutput(this, 'DeadLetterQueue', {
      value: this.deadLetters.queueUrl,
      description: 'Dead-letter queue for changes of the table that could not be processed',
    });
  }
}
