import { join } from 'node:path';

import type { Duration } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

import { accept } from './accept.ts';
import { bundling, projectRoot } from './bundling.ts';
import type { CatalogTable, TableAccess } from './catalog-table.ts';
import type { Config } from './config.ts';

/** What one function adds to the defaults of the house. */
export interface HouseFunctionProps {
  readonly config: Config;
  /** File in functions/ without its extension; it exports `handler`. */
  readonly entry: string;
  readonly description: string;
  readonly memorySize: number;
  readonly timeout: Duration;
  /** Executions at once that are kept for it, and its most, with `reservedConcurrency`. */
  readonly share?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A Lambda function with every default of the house, its own log group and a role that may do nothing else. */
export class HouseFunction extends Construct {
  readonly lambda: NodejsFunction;

  constructor(scope: Construct, id: string, props: HouseFunctionProps) {
    super(scope, id);
    const { config, entry, environment, share, ...settings } = props;
    const logGroup = new LogGroup(this, 'Log', {
      retention: config.logRetention,
      removalPolicy: config.removalPolicy,
    });
    // A role of our own: the CDK's would carry a managed policy that may write to every log group of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    this.lambda = new NodejsFunction(this, 'Function', {
      ...settings,
      entry: join(projectRoot, 'functions', `${entry}.ts`),
      projectRoot,
      depsLockFilePath: join(projectRoot, 'package-lock.json'),
      bundling,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      tracing: Tracing.ACTIVE,
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      role,
      environment: { ...environment },
      ...(config.reservedConcurrency === 'off' || share === undefined ? {} : { reservedConcurrentExecutions: share }),
    });
    accept(role, {
      'IAM5[Resource::*]': 'xray:PutTraceSegments and xray:PutTelemetryRecords know no narrower resource.',
    });
  }

  /** Lets the function use the table and tells it the table's name. */
  bindTable(table: CatalogTable, access: TableAccess): void {
    table.grantAccess(this.lambda, access);
    this.lambda.addEnvironment('TABLE_NAME', table.tableName);
  }
}
