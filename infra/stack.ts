import { CfnOutput, Stack, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

import type { Group } from '../lib/contract/route.ts';
import { Alarms } from './alarms.ts';
import { ApiFunction } from './api-function.ts';
import { scheduledFunctions, streamConsumers } from './background.ts';
import { CatalogTable } from './catalog-table.ts';
import type { Config } from './config.ts';
import { CatalogDashboard } from './dashboard.ts';
import { DomainNames } from './domain-names.ts';
import { CatalogBus } from './event-bus.ts';
import { loginGroup, OidcClientsSecret } from './oidc-clients.ts';
import { DappleApi } from './rest-api.ts';
import { RootAccount } from './root-account.ts';
import { RseCredentialsSecret, signingGroups } from './rse-credentials.ts';
import { ScheduledFunction } from './scheduled-function.ts';
import { statedOutput } from './stated-options.ts';
import { StreamConsumer } from './stream-consumer.ts';
import { TokenKey, usesTokenKey } from './token-key.ts';
import { WebAcl } from './web-acl.ts';

/** The group whose function answers paths of no group: it has the fewest rights, and none of its routes is slow. */
const othersGroup = 'ping';

/** The properties of a deployment. */
export interface DappleStackProps {
  readonly config: Config;
  readonly groups: readonly Group[];
}

/** A deployment of Dapple: the table, one function per endpoint group, and the REST API in front of them. */
export class DappleStack extends Stack {
  constructor(scope: Construct, id: string, { config, groups }: DappleStackProps) {
    super(scope, id, {
      description: 'Dapple, the Rucio REST interface without servers',
      terminationProtection: config.protectData,
    });
    for (const tag of config.tags.split(' ').filter(Boolean)) {
      const [name = '', value = ''] = tag.split('=');
      // The stack has it too: CloudFormation gives it to resources that the CDK cannot tag.
      this.addStackTag(name, value);
      Tags.of(this).add(name, value);
    }
    const table = new CatalogTable(this, 'Table', config);
    const tokenKey = new TokenKey(this, 'TokenKey', config);
    const oidcClients = new OidcClientsSecret(this, 'OidcClients', config);
    const rseCredentials = new RseCredentialsSecret(this, 'RseCredentials', config);
    const api = new DappleApi(this, 'Api', config);
    const served = groups
      .filter(({ name }) => name !== 'browser' || config.browser === 'on')
      .map((group) => {
        const lambda = new ApiFunction(this, `group-${group.name}`, {
          config,
          group,
          table,
          ...(usesTokenKey(group) ? { tokenKey } : {}),
          ...(group.name === loginGroup ? { oidcClients } : {}),
          ...(signingGroups.has(group.name) ? { rseCredentials } : {}),
        });
        api.serve(group.prefixes, lambda);
        if (group.name === othersGroup) api.serveOthers(lambda);
        return { name: group.name, prefixes: group.prefixes, lambda };
      });
    const bus = config.eventBus === 'on' ? new CatalogBus(this, 'EventBus') : undefined;
    const consumers = streamConsumers.map(({ id: name, consequence, announces, ...props }) => ({
      id: name,
      consequence,
      consumer: new StreamConsumer(this, name, {
        config,
        table,
        ...(announces && bus !== undefined ? { bus } : {}),
        ...props,
      }),
    }));
    const wanted = scheduledFunctions.filter(({ needs }) => needs === undefined || config[needs] === 'on');
    const schedules = wanted.map((scheduled) => {
      const { id: name, consequence, mustRun, guardsData, needs: _needs, announces, usesStorage, ...props } = scheduled;
      const storage = usesStorage !== undefined && config[usesStorage.option] === 'on' ? usesStorage : undefined;
      const credentials = storage === undefined ? {} : { rseCredentials };
      const lambda = new ScheduledFunction(this, name, { config, table, ...credentials, ...props });
      if (announces === true) bus?.bindTo(lambda);
      return { id: name, consequence, mustRun, guardsData, storage, lambda };
    });
    new RootAccount(this, 'RootAccount', { config, table });
    if (config.domainName !== '' || config.mtlsDomainName !== '') new DomainNames(this, 'DomainNames', { api, config });
    if (config.webAcl === 'on' || config.webAclArn !== '') new WebAcl(this, 'WebAcl', { api, config });
    if (config.monitoring !== 'off') {
      const watched = { api, table, groups: served, consumers, schedules, rotation: tokenKey.rotation };
      new Alarms(this, 'Alarms', { config, watched });
      if (config.monitoring === 'all') new CatalogDashboard(this, 'Dashboard', watched);
    }

    new CfnOutput(this, 'ApiUrl', { value: api.url, description: 'Base URL of the REST interface' });
    new CfnOutput(this, 'ApiId', { value: api.restApiId, description: 'Id of the REST API' });
    new CfnOutput(this, 'TokenKeySecretArn', {
      value: tokenKey.secretArn,
      description: 'Secret with the key that signs tokens',
    });
    new CfnOutput(this, 'OidcClientsSecretArn', {
      value: oidcClients.secretArn,
      description: 'Secret with the registrations at OpenID providers',
    });
    new CfnOutput(this, 'RseCredentialsSecretArn', {
      value: rseCredentials.secretArn,
      description: 'Secret with the credentials of RSEs',
    });
    new CfnOutput(this, statedOutput, {
      value: JSON.stringify(config.stated),
      description: 'Options that the deployment states, which the next one must not drop',
    });
    new CfnOutput(this, 'TableName', { value: table.tableName, description: 'Name of the one table' });
  }
}
