import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';

import { groups } from '../../lib/contract/index.ts';
import { hasLongAnswers } from '../../lib/contract/route.ts';
import { everything, resourcesOf, smallTemplateOf, templateOf } from './template.ts';

interface ResourceProperties {
  readonly ParentId: { Ref?: string };
  readonly PathPart: string;
}

interface MethodProperties {
  readonly HttpMethod: string;
  readonly ResourceId: { Ref: string };
  readonly Integration: { Type: string; ResponseTransferMode: string; TimeoutInMillis: number; Uri: unknown };
}

const prefixes = groups.flatMap((group) => group.prefixes.map((prefix) => ({ group, prefix })));
/** The root itself leads to the page. */
const pathsBelow = (prefix: string) => (prefix === '/' ? ['/'] : [prefix, `${prefix}/{proxy+}`]);

const streaming = templateOf();
const buffered = templateOf({ responseMode: 'buffer' });

describe('resources', () => {
  const paths = pathsOf(streaming);

  it.each(prefixes)('$prefix and everything below it reach their function', ({ group, prefix }) => {
    for (const path of pathsBelow(prefix)) {
      const method = paths.get(path);
      expect(method?.HttpMethod, path).toBe('ANY');
      expect(functionOf(streaming, method), path).toBe(`Dapple, endpoints ${group.prefixes.join(' ')}`);
    }
  });

  it('are two per prefix, the root, and one for all other paths, which reach the function with the fewest rights', () => {
    const wanted = [...prefixes.flatMap(({ prefix }) => pathsBelow(prefix)), '/{proxy+}'];
    expect([...paths.keys()].toSorted()).toEqual(wanted.toSorted());
    expect(functionOf(streaming, paths.get('/{proxy+}'))).toBe('Dapple, endpoints /ping /health');
  });
});

describe('integrations', () => {
  const paths = pathsOf(streaming);

  it.each(prefixes)('of $prefix stream if the group has lists', ({ group, prefix }) => {
    for (const path of pathsBelow(prefix)) {
      const { Integration } = paths.get(path) ?? {};
      expect(Integration, path).toMatchObject(
        hasLongAnswers(group)
          ? { Type: 'AWS_PROXY', ResponseTransferMode: 'STREAM', TimeoutInMillis: 300_000 }
          : { Type: 'AWS_PROXY', ResponseTransferMode: 'BUFFERED', TimeoutInMillis: 29_000 },
      );
      expect(JSON.stringify(Integration?.Uri)).toMatch(
        hasLongAnswers(group)
          ? /lambda:path\/2021-11-15\/functions\/".*"\/response-streaming-invocations"/
          : /lambda:path\/2015-03-31\/functions\/".*"\/invocations"/,
      );
    }
  });

  it('need one permission for each function', () => {
    const permissions = resourcesOf<{ Principal: string }>(streaming, 'AWS::Lambda::Permission').filter(
      ([, { Properties }]) => Properties.Principal === 'apigateway.amazonaws.com',
    );
    expect(permissions).toHaveLength(groups.length);
  });

  it.each([...pathsOf(buffered)])('buffer %s if the context says so', (_path, { Integration }) => {
    expect(Integration).toMatchObject({ Type: 'AWS_PROXY', ResponseTransferMode: 'BUFFERED', TimeoutInMillis: 29_000 });
    expect(JSON.stringify(Integration.Uri)).toMatch(/lambda:path\/2015-03-31\/functions\/".*"\/invocations"/);
  });

  it('tell the functions the response mode', () => {
    buffered.hasResourceProperties('AWS::Lambda::Function', {
      Timeout: 29,
      Environment: { Variables: { RESPONSE_MODE: 'buffer' } },
    });
  });
});

describe('the API', () => {
  it('is regional, since an edge endpoint cuts a stream after 30 silent seconds, and treats no body as binary', () => {
    streaming.hasResourceProperties('AWS::ApiGateway::RestApi', {
      EndpointConfiguration: { Types: ['REGIONAL'] },
      BinaryMediaTypes: Match.absent(),
    });
  });

  it('throttles and logs accesses but never executions, whose logs hold passwords', () => {
    streaming.hasResourceProperties('AWS::ApiGateway::Stage', {
      TracingEnabled: false,
      AccessLogSetting: { DestinationArn: Match.anyValue() },
      MethodSettings: Match.arrayWith([
        {
          HttpMethod: '*',
          ResourcePath: '/*',
          LoggingLevel: 'OFF',
          DataTraceEnabled: false,
          MetricsEnabled: false,
          ThrottlingRateLimit: 500,
          ThrottlingBurstLimit: 500,
        },
      ]),
    });
    const [[, stage] = []] = resourcesOf<{ MethodSettings: object[] }>(streaming, 'AWS::ApiGateway::Stage');
    for (const settings of stage?.Properties.MethodSettings ?? []) {
      expect(settings).toMatchObject({ LoggingLevel: 'OFF', DataTraceEnabled: false, MetricsEnabled: false });
    }
  });

  it('logs JSON, and nothing about the caller except the address', () => {
    const [[, stage] = []] = resourcesOf<{ AccessLogSetting: { Format: string } }>(streaming, 'AWS::ApiGateway::Stage');
    const format = JSON.parse(stage?.Properties.AccessLogSetting.Format ?? '') as Record<string, string>;
    expect(format).toMatchObject({ requestId: '$context.requestId', status: '$context.status' });
    expect(Object.values(format).filter((variable) => variable.includes('.identity.'))).toEqual([
      '$context.identity.sourceIp',
    ]);
  });

  it('leaves the logging role of the account alone if told so', () => {
    streaming.resourceCountIs('AWS::ApiGateway::Account', 1);
    smallTemplateOf({ gatewayLogging: 'existing' }).resourceCountIs('AWS::ApiGateway::Account', 0);
  });

  it('is at a path of its custom domain names if told so, since the gateway answers /ping at their root', () => {
    templateOf(everything).hasResourceProperties('AWS::ApiGateway::BasePathMapping', { BasePath: 'rucio' });
    templateOf(everything).hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ BASE_PATH: '/rucio' }) },
    });
  });

  it('is in the outputs', () => {
    expect(Object.keys(streaming.findOutputs('*')).toSorted()).toEqual([
      'ApiId',
      'ApiUrl',
      'OidcClientsSecretArn',
      'Options',
      'RootSecretArn',
      'RseCredentialsSecretArn',
      expect.stringMatching(/^StreamConsumerDeadLetterQueue/),
      expect.stringMatching(/^StreamFollowUpDeadLetterQueue/),
      'TableName',
      'TokenKeySecretArn',
    ]);
  });
});

/** The method of every path of the API. */
function pathsOf(template: Template): Map<string, MethodProperties> {
  const resources = new Map(resourcesOf<ResourceProperties>(template, 'AWS::ApiGateway::Resource'));
  const pathOf = (id: string | undefined): string => {
    const resource = id === undefined ? undefined : resources.get(id);
    return resource ? `${pathOf(resource.Properties.ParentId.Ref)}/${resource.Properties.PathPart}` : '';
  };
  const methods = resourcesOf<MethodProperties>(template, 'AWS::ApiGateway::Method');
  return new Map(methods.map(([, { Properties }]) => [pathOf(Properties.ResourceId.Ref) || '/', Properties]));
}

/** The description of the function that a method invokes. */
function functionOf(template: Template, method: MethodProperties | undefined): string | undefined {
  const id = /"Fn::GetAtt":\["(\w+)","Arn"\]/.exec(JSON.stringify(method?.Integration.Uri))?.[1];
  const functions = new Map(resourcesOf<{ Description: string }>(template, 'AWS::Lambda::Function'));
  return functions.get(id ?? '')?.Properties.Description;
}
