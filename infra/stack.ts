import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

import type { Group } from '../lib/contract/route.ts';
import { ApiFunction } from './api-function.ts';
import { CatalogTable } from './catalog-table.ts';
import type { Config } from './config.ts';
import { CatalogBus } from './event-bus.ts';
import { DappleApi } from './rest-api.ts';
import { ScheduledFunction } from './scheduled-function.ts';
import { lengthyWork, StreamConsumer } from './stream-consumer.ts';
import { TokenKey } from './token-key.ts';

/** What is deployed, and how. */
export interface DappleStackProps {
  readonly config: Config;
  readonly groups: readonly Group[];
}

/** One deployment of Dapple: the table, a function per endpoint group, the REST API before them. */
export class DappleStack extends Stack {
  constructor(scope: Construct, id: string, { config, groups }: DappleStackProps) {
    super(scope, id, {
      description: 'Dapple, the Rucio REST interface without servers',
      terminationProtection: config.protectData,
    });
    const table = new CatalogTable(this, 'Table', config);
    const tokenKey = new TokenKey(this, 'TokenKey', config);
    const api = new DappleApi(this, 'Api', config);
    for (const group of groups) {
      api.serve(group.prefixes, new ApiFunction(this, `group-${group.name}`, { config, group, table, tokenKey }));
    }
    new StreamConsumer(this, 'StreamConsumer', {
      config,
      table,
      bus: new CatalogBus(this, 'EventBus'),
      entry: 'consume-stream',
      task: 'does what follows from changes of the table',
    });
    new StreamConsumer(this, 'StreamFollowUp', {
      config,
      table,
      filters: lengthyWork,
      entry: 'follow-up-stream',
      task: 'does lengthy work that follows from changes of the table',
    });
    const task = { config, table };
    new ScheduledFunction(this, 'BatchRecovery', {
      ...task,
      entry: 'recover-batches',
      task: 'clears away what abandoned bulk requests left behind',
    });
    new ScheduledFunction(this, 'Expiry', {
      ...task,
      entry: 'expire-dids',
      task: 'deletes DIDs whose lifetime is over',
    });
    new ScheduledFunction(this, 'Work', {
      ...task,
      entry: 'do-work',
      task: 'does what was noted for a time that has come',
      everyMinutes: 1,
    });
    new ScheduledFunction(this, 'MetadataIndex', {
      ...task,
      entry: 'maintain-metadata-index',
      task: 'keeps the index of metadata as the configuration says',
    });

    new CfnOutput(this, 'ApiUrl', { value: api.url, description: 'Base URL of the REST interface' });
    new CfnOutput(this, 'ApiId', { value: api.restApiId, description: 'Id of the REST API' });
    new CfnOutput(this, 'TableName', { value: table.tableName, description: 'Name of the one table' });
  }
}
