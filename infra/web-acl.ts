import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

import type { Config } from './config.ts';
import type { DappleApi } from './rest-api.ts';

/**
 * Rules of AWS's common set that would block legitimate requests, so they only count: bodies of megabytes, long cursors
 * and filters, names such as `job.log` or `x.ini`, PFNs (URLs, also with IP addresses), clients without User-Agent.
 */
const countedRules = [
  'CrossSiteScripting_BODY',
  'CrossSiteScripting_QUERYARGUMENTS',
  'CrossSiteScripting_URIPATH',
  'EC2MetaDataSSRF_BODY',
  'EC2MetaDataSSRF_QUERYARGUMENTS',
  'EC2MetaDataSSRF_URIPATH',
  'GenericLFI_BODY',
  'GenericLFI_QUERYARGUMENTS',
  'GenericLFI_URIPATH',
  'GenericRFI_BODY',
  'GenericRFI_QUERYARGUMENTS',
  'GenericRFI_URIPATH',
  'NoUserAgent_HEADER',
  'RestrictedExtensions_QUERYARGUMENTS',
  'RestrictedExtensions_URIPATH',
  'SizeRestrictions_BODY',
  'SizeRestrictions_QUERYSTRING',
  'SizeRestrictions_URIPATH',
];

/** The requests that the gateway admits: AWS's managed rules and a rate limit per address, or a given web ACL. */
export class WebAcl extends Construct {
  constructor(scope: Construct, id: string, { api, config }: { api: DappleApi; config: Config }) {
    super(scope, id);
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: api.deploymentStage.stageArn,
      webAclArn: config.webAclArn || this.#create(config.webAclRate),
    });
  }

  #create(limit: number): string {
    const rules: CfnWebACL.RuleProperty[] = [
      {
        ...numbered('requests-of-one-address', 0),
        action: { block: {} },
        statement: { rateBasedStatement: { limit, aggregateKeyType: 'IP', evaluationWindowSec: 300 } },
      },
      managed('AWSManagedRulesAmazonIpReputationList', 1),
      managed('AWSManagedRulesKnownBadInputsRuleSet', 2),
      managed('AWSManagedRulesCommonRuleSet', 3, countedRules),
    ];
    const acl = new CfnWebACL(this, 'Acl', {
      description: 'Requests that the gateway of Dapple admits',
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visible('dapple'),
      rules,
    });
    return acl.attrArn;
  }
}

function managed(name: string, priority: number, counted: readonly string[] = []): CfnWebACL.RuleProperty {
  return {
    ...numbered(name, priority),
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ...(counted.length === 0
          ? {}
          : { ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })) }),
      },
    },
  };
}

const numbered = (name: string, priority: number) => ({ name, priority, visibilityConfig: visible(name) });

const visible = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: true,
});
