import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { App } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';

import cdkJson from '../../cdk.json' with { type: 'json' };
import { readConfig } from '../../infra/config.ts';
import { options } from '../../infra/options.ts';
import { everything, resourcesOf, smallTemplateOf, templateOf } from './template.ts';

const read = (context: Record<string, unknown>) => readConfig(new App({ context }).node);
const certificateArn = everything.certificateArn;

describe('the options of the context', () => {
  it.each([
    [{ stage: 'production' }, 'context value stage is production, so it needs kind as well'],
    [{ stage: 'Prod' }, 'context value stage is Prod, not a name of small letters, digits and hyphens'],
    [{ stage: 'a-', kind: 'dev' }, 'context value stage is a-, not'],
    [{ kind: 'test' }, 'context value kind is test, not one of dev, prod'],
    [{ tags: 'team' }, 'context value tags is team, not tags'],
    [{ tags: 'aws:team=x' }, 'context value tags is aws:team=x, not tags'],
    [{ alarmTopicArn: 'operators' }, 'context value alarmTopicArn is operators, not the ARN of an SNS topic'],
    [{ responseMode: 'lazy' }, 'context value responseMode is lazy, not one of stream, buffer'],
    [{ stgae: 'prod' }, 'context value stgae is not known; there are stage, kind, responseMode'],
    [{ throttleRate: '-1' }, 'context value throttleRate is -1, not a whole number from 1 to 1000000'],
    [{ throttleBurst: '1e3' }, 'context value throttleBurst is 1e3, not a whole number'],
    [{ logDays: '31' }, 'context value logDays is 31, not a number of days that CloudWatch offers'],
    [{ logDays: '9999' }, 'context value logDays is 9999, not'],
    [{ tokenKeyDays: '366' }, 'not a whole number from 0 to 365'],
    [{ corsOrigins: 'https://a.example *' }, 'context value corsOrigins is https://a.example *, not origins'],
    [{ oidcIssuers: 'http://iam.example.org/' }, 'context value oidcIssuers'],
    [{ alarmEmail: 'operator' }, 'context value alarmEmail is operator, not an e-mail address'],
    [{ domainName: 'rucio.example.org' }, 'context value domainName needs certificateArn as well'],
    [{ domainName: 'https://rucio.example.org', certificateArn }, 'not a domain name'],
    [{ truststoreUri: 's3://trust/ca.pem' }, 'context value truststoreUri needs mtlsDomainName as well'],
    [
      { truststoreUri: 's3://trust/ca.pem', mtlsDomainName: 'a.example.org' },
      'needs mtlsCertificateArn, or certificateArn',
    ],
    [{ ...everything, mtlsDomainName: everything.domainName }, 'are the same'],
    [{ hostedZoneId: 'Z1' }, 'context value hostedZoneId needs domainName or mtlsDomainName as well'],
    [{ ...everything, webAclArn: 'arn:aws:wafv2:eu-central-1:1:regional/webacl/x/1' }, 'exclude each other'],
    [{ webAclArn: 'arn:aws:wafv2:us-east-1:1:global/webacl/x/1' }, 'not the ARN of a regional web ACL'],
    [{ streams: 'on' }, 'context value streams=on needs movers=on as well'],
    [{ requestMetrics: 'on', logLevel: 'warn' }, 'context value requestMetrics needs logLevel=info'],
    [{ restoredTable: 'Restored' }, 'context value restoredTable needs restoredTableStreamArn as well'],
  ])('%j is refused: %s', (context, message) => {
    expect(() => read(context)).toThrow(message);
  });

  it('end the command with a single sentence if invalid', () => {
    const environment = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ stgae: 'prod' }) };
    const { status, stderr } = spawnSync(process.execPath, ['infra/app.ts'], { env: environment, encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^context value stgae is not known; there are [\w, ]+\n$/);
  });

  it('may be numbers, as in a file', () => {
    expect(read({ throttleRate: 12, logDays: 30 })).toMatchObject({ throttleRate: 12, logRetention: 30 });
  });

  it('are in cdk.json only if they are known', () => {
    expect(() => read(cdkJson.context)).not.toThrow();
  });

  it('are in the deployment guide, with form and presets', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/how-to/deploy.md'), 'utf8');
    const rows = [...guide.matchAll(/^\| `(\w+)`\s*\| (.+?)\s*\| (.*?)\s*\| (.+?)\s*\|$/gm)].map((row) => row.slice(1));
    expect(rows).toEqual(
      Object.entries(options).map(
        ([
          name,
          {
            form,
            preset: { dev, prod },
            purpose,
          },
        ]) => [
          name,
          form,
          dev === prod ? (dev === '' ? 'none' : `\`${dev}\``) : `\`${dev}\`, prod: \`${prod}\``,
          purpose,
        ],
      ),
    );
  });
});

describe('an optional feature', () => {
  it.each([
    'KMS::Key',
    'ApiGateway::DomainName',
    'Route53::RecordSetGroup',
    'WAFv2::WebACL',
    'WAFv2::WebACLAssociation',
    'SNS::Topic',
  ])('%s does not exist', (type) => templateOf().resourceCountIs(`AWS::${type}`, 0));
});

describe('requests', () => {
  it('are limited as the context says', () => {
    smallTemplateOf({ throttleRate: '7', throttleBurst: '8' }).hasResourceProperties('AWS::ApiGateway::Stage', {
      MethodSettings: Match.arrayWith([Match.objectLike({ ThrottlingRateLimit: 7, ThrottlingBurstLimit: 8 })]),
    });
  });

  it.each([
    [{}, 5],
    [{ stage: 'prod' }, 100],
    [{ eventReaders: '26' }, 26],
  ])('of event readers: %j admits %d, by their function, since the gateway knows no tokens', (context, readers) => {
    const template = templateOf(context);
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: 'Dapple, endpoints /events',
      Environment: { Variables: Match.objectLike({ EVENT_READERS: String(readers) }) },
    });
    const [[, stage] = []] = resourcesOf<{ MethodSettings: unknown[] }>(template, 'AWS::ApiGateway::Stage');
    expect(stage?.Properties.MethodSettings).toMatchObject([{ ResourcePath: '/*', HttpMethod: '*' }]);
  });

  it('of browsers and with tokens of issuers are accepted by every function of the API', () => {
    const { corsOrigins, oidcIssuers } = everything;
    const serving = resourcesOf<{ Environment: { Variables: Record<string, unknown> } }>(
      templateOf(everything),
      'AWS::Lambda::Function',
    ).filter(([id]) => id.startsWith('group'));
    expect(serving.length).toBeGreaterThan(10);
    for (const [id, { Properties }] of serving) {
      const variables = { CORS_ORIGINS: corsOrigins, OIDC_ISSUERS: oidcIssuers };
      expect(Properties.Environment.Variables, id).toMatchObject(variables);
    }
  });
});

describe('domain names', () => {
  const template = templateOf(everything);

  it('are one for everybody and one for clients with a certificate, with TLS 1.2 and DNS records', () => {
    template.resourceCountIs('AWS::ApiGateway::BasePathMapping', 2);
    template.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'rucio.example.org',
      SecurityPolicy: 'TLS_1_2',
      RegionalCertificateArn: certificateArn,
      MutualTlsAuthentication: Match.absent(),
    });
    template.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'auth.example.org',
      SecurityPolicy: 'TLS_1_2',
      MutualTlsAuthentication: { TruststoreUri: 's3://trust/authorities/ca.pem' },
    });
    template.hasResourceProperties('AWS::Route53::RecordSetGroup', {
      HostedZoneId: 'Z0123456789ABC',
      RecordSets: ['A', 'AAAA'].map((Type) => Match.objectLike({ Name: 'rucio.example.org', Type })),
    });
  });

  it('come without DNS records if no zone is given: the output names the target', () => {
    const { hostedZoneId: _, ...context } = everything;
    const [target, ...others] = Object.keys(smallTemplateOf(context).findOutputs('*')).filter((id) =>
      id.includes('Target'),
    );
    expect(target).toMatch(/^DomainNames/);
    expect(others).toHaveLength(1);
  });
});

describe('the web ACL', () => {
  it("has AWS's rules, some of which only count since they would block legitimate requests, and a rate limit", () => {
    const template = smallTemplateOf({ webAcl: 'on', webAclRate: '1234' });
    template.hasResourceProperties('AWS::WAFv2::WebACL', {
      Scope: 'REGIONAL',
      DefaultAction: { Allow: {} },
      Rules: Match.arrayWith([
        Match.objectLike({
          Action: { Block: {} },
          Statement: { RateBasedStatement: Match.objectLike({ Limit: 1234 }) },
        }),
        Match.objectLike({
          OverrideAction: { None: {} },
          Statement: {
            ManagedRuleGroupStatement: Match.objectLike({
              Name: 'AWSManagedRulesCommonRuleSet',
              RuleActionOverrides: Match.arrayWith([{ Name: 'SizeRestrictions_BODY', ActionToUse: { Count: {} } }]),
            }),
          },
        }),
      ]),
    });
    template.hasResourceProperties('AWS::WAFv2::WebACLAssociation', {
      WebACLArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^WebAcl'), 'Arn'] },
    });
  });

  it('blocks no name of a file, and no URL in a query', () => {
    interface Rule {
      readonly Statement: {
        readonly ManagedRuleGroupStatement?: { readonly RuleActionOverrides?: readonly { readonly Name: string }[] };
      };
    }
    const [[, acl] = []] = resourcesOf<{ Rules: readonly Rule[] }>(
      smallTemplateOf({ webAcl: 'on' }),
      'AWS::WAFv2::WebACL',
    );
    const counted = acl?.Properties.Rules.flatMap(
      ({ Statement }) => Statement.ManagedRuleGroupStatement?.RuleActionOverrides?.map(({ Name }) => Name) ?? [],
    );
    const rules = ['RestrictedExtensions', 'GenericLFI', 'GenericRFI', 'CrossSiteScripting', 'EC2MetaDataSSRF'];
    expect(counted).toEqual(
      expect.arrayContaining(rules.flatMap((rule) => [`${rule}_URIPATH`, `${rule}_QUERYARGUMENTS`])),
    );
  });

  it('can be a given one', () => {
    const webAclArn = 'arn:aws:wafv2:eu-central-1:111122223333:regional/webacl/own/1';
    const template = smallTemplateOf({ webAclArn });
    template.resourceCountIs('AWS::WAFv2::WebACL', 0);
    template.hasResourceProperties('AWS::WAFv2::WebACLAssociation', { WebACLArn: webAclArn });
  });
});
