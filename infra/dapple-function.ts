import { join } from 'node:path';

import type { Duration } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

import { acceptFindings } from './accept-findings.ts';
import { bundlingOf } from './bundling.ts';
import type { CatalogTable, TableAccess } from './catalog-table.ts';
import type { Config } from './config.ts';
import { projectRoot } from './project-root.ts';

const applicationLevels = {
  info: ApplicationLogLevel.INFO,
  warn: ApplicationLogLevel.WARN,
  error: ApplicationLogLevel.ERROR,
} as const satisfies Record<Config['logLevel'], ApplicationLogLevel>;

/** The properties in which a function differs from the defaults. */
export interface DappleFunctionProps {
  readonly config: Config;
  /** File in functions/ without its extension; it exports `handler`. */
  readonly entry: string;
  readonly description: string;
  readonly memorySize: number;
  readonly timeout: Duration;
  /** Concurrent executions that are reserved for it and are its maximum, with the option `reservedConcurrency`. */
  readonly share?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A Lambda function with Dapple's defaults, its own log group and a role without any further permission. */
export class DappleFunction extends Construct {
  readonly lambda: NodejsFunction;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: DappleFunctionProps) {
    super(scope, id);
    const { config, entry, environment, share, ...settings } = props;
    const logGroup = new LogGroup(this, 'Log', {
      retention: config.logRetention,
      removalPolicy: config.removalPolicy,
    });
    this.logGroup = logGroup;
    // A role of our own: the CDK's would have a managed policy with write access to every log group of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    this.lambda = new NodejsFunction(this, 'Function', {
      ...settings,
      entry: join(projectRoot, 'functions', `${entry}.ts`),
      projectRoot,
      depsLockFilePath: join(projectRoot, 'package-lock.json'),
      bundling: bundlingOf(entry, config.policy),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      tracing: config.tracing === 'on' ? Tracing.ACTIVE : Tracing.DISABLED,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: applicationLevels[config.logLevel],
      // The platform's records of invocations that succeed say nothing that the record of the request does not.
      systemLogLevelV2: SystemLogLevel.WARN,
      logGroup,
      role,
      environment: { ...environment },
      ...(config.reservedConcurrency === 'off' || share === undefined ? {} : { reservedConcurrentExecutions: share }),
    });
    if (config.tracing === 'on') {
      acceptFindings(role, {
        'IAM5[Resource::*]': 'xray:PutTraceSegments and xray:PutTelemetryRecords know no narrower resource.',
      });
    }
  }

  /** Grants access to the table and sets its name in the environment. */
  bindTable(table: CatalogTable, access: TableAccess): void {
    table.grantAccess(this.lambda, access);
    this.lambda.addEnvironment('TABLE_NAME', table.tableName);
  }
}
