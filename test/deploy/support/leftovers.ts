import type { Aws } from './aws.ts';

/**
 * Lists existing resources of the types in the stack, as `kind name`; empty after it was destroyed.
 *
 * @param engine The engine that holds the tables.
 * @param prefix What the names of the stack's resources begin with.
 */
export async function listResources(aws: Aws, engine: Aws, prefix: string): Promise<string[]> {
  const [functions, mappings, apis, tables, secrets, logs, queues, buses, rules] = await Promise.all([
    aws.rest<{ Functions: { FunctionName: string }[] }>('lambda', 'GET', '/2015-03-31/functions/?MaxItems=10000'),
    aws.rest<{ EventSourceMappings: { UUID: string }[] }>('lambda', 'GET', '/2015-03-31/event-source-mappings/'),
    aws.rest<{ item?: { name: string }[] }>('apigateway', 'GET', '/restapis'),
    engine.json<{ TableNames: string[] }>('dynamodb', 'ListTables', {}),
    aws.json<{ SecretList: { Name: string }[] }>('secretsmanager', 'ListSecrets', {}),
    aws.json<{ logGroups: { logGroupName: string }[] }>('logs', 'DescribeLogGroups', {}),
    aws.json<{ QueueUrls?: string[] }>('sqs', 'ListQueues', {}),
    aws.json<{ EventBuses: { Name: string }[] }>('events', 'ListEventBuses', {}),
    aws.json<{ Rules: { Name: string }[] }>('events', 'ListRules', {}),
  ]);
  return [
    ...functions.Functions.map(({ FunctionName }) => `function ${FunctionName}`),
    ...mappings.EventSourceMappings.map(({ UUID }) => `event source mapping ${UUID}`),
    ...(apis.item ?? []).map(({ name }) => `REST API ${name}`),
    ...tables.TableNames.map((name) => `table ${name}`),
    ...secrets.SecretList.map(({ Name }) => `secret ${Name}`),
    ...logs.logGroups.flatMap(({ logGroupName }) =>
      logGroupName.startsWith(prefix) ? `log group ${logGroupName}` : [],
    ),
    ...(queues.QueueUrls ?? []).map((url) => `queue ${url}`),
    ...buses.EventBuses.flatMap(({ Name }) => (Name === 'default' ? [] : `event bus ${Name}`)),
    ...rules.Rules.map(({ Name }) => `rule ${Name}`),
  ];
}
